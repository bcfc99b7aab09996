#pragma once
// Student's t, through Boost.Math, with infinite degrees of freedom meaning the normal.

namespace perfgate {

/// The t that is exceeded with probability `upper_tail` (0 < upper_tail < 1); infinite where
/// no double holds it, as of 1e-5 on a thousandth of a degree.
/// Throws std::invalid_argument outside of that, or when `degrees` is not above 0.
double student_t_quantile(double upper_tail, double degrees);

/// Probability of a value above `t`.
double student_t_upper_tail(double t, double degrees);

}  // namespace perfgate
