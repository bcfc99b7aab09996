#include "perfgate/stats/student_t.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <stdexcept>

namespace perfgate {
namespace {

// Past this the t and the normal agree to eight digits, and the t's own routines get slow.
constexpr double kEffectivelyNormal = 1e8;

namespace policies = boost::math::policies;
using InfiniteWhereTooLarge = policies::policy<policies::overflow_error<policies::ignore_error>>;

void require(bool condition, const char* what) {
  if (!condition) {
    throw std::invalid_argument(what);
  }
}

}  // namespace

double student_t_quantile(double upper_tail, double degrees) {
  require(upper_tail > 0 && upper_tail < 1, "a tail probability must lie between 0 and 1");
  require(degrees > 0, "Student's t needs degrees of freedom above 0");
  using boost::math::complement;
  if (degrees > kEffectivelyNormal) {
    return boost::math::quantile(complement(boost::math::normal(), upper_tail));
  }
  const boost::math::students_t_distribution<double, InfiniteWhereTooLarge> t(degrees);
  return boost::math::quantile(complement(t, upper_tail));
}

double student_t_upper_tail(double t, double degrees) {
  require(degrees > 0, "Student's t needs degrees of freedom above 0");
  using boost::math::complement;
  if (degrees > kEffectivelyNormal) {
    return boost::math::cdf(complement(boost::math::normal(), t));
  }
  return boost::math::cdf(complement(boost::math::students_t(degrees), t));
}

}  // namespace perfgate
