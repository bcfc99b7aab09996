#pragma once
// A bisection of builds as text: a line for what is made and measured, and one sentence at the end
// that can be forwarded by itself.

#include <cstddef>
#include <string>
#include <vector>

#include "perfgate/gate/bisection.h"
#include "perfgate/gate/paired_rule.h"

namespace perfgate {

/// What is bisected.
struct BisectionSubject {
  std::vector<std::string> builds;  ///< names, oldest first
  std::string device;               ///< model
  std::string what;                 ///< case and phase
};

/// "  made      NAME   PROGRAM   LibTorch 2.13.0".
std::string build_made_row(const std::string& name, const std::string& program,
                           const std::string& libtorch);
std::string build_passed_over_row(const std::string& name, const std::string& why_not);

/// So many pairs of these two, their mean change, and the likeliest places of the first slow build
/// since.
std::string bisection_row(const BisectionSubject& subject, std::size_t before, std::size_t now,
                          const std::vector<double>& differences, const FirstSlow& posterior);

/// Nothing slower was found between the ends. `shown`: of the case that is judged with the largest
/// MDE.
std::string no_regression_sentence(const BisectionSubject& subject, const PairedJudgement& shown);

/// How it ended, in one sentence.
std::string bisection_sentence(const BisectionSubject& subject, const Bisection& bisection,
                               const BisectionStep& end);

}  // namespace perfgate
