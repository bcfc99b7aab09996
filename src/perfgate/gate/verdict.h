#pragma once
// The verdicts. report/exit_code.h has what each does to the process's exit code.

#include "perfgate/core/enum_names.h"

namespace perfgate {

enum class Verdict {
  kPass,
  kRegressed,
  kSuspect,  ///< on a device that the baseline does not know: slower than chance explains, by
             ///< less than devices may differ by; a session of its own settles it
  kImproved,
  kUnsteady,        ///< tonight's processes disagree by far more than the baseline's ever did
  kOtherKernels,    ///< not found slower, by other kernels than --strict_kernels allows
  kBlind,           ///< its MDE is larger than the policy allows: neither pass nor fail
  kNoBaseline,      ///< nothing comparable is recorded
  kWrong,           ///< the numbers differ from the reference
  kUnsupported,     ///< this device or build cannot run the case
  kLost,            ///< it is in the baseline and no longer runs
  kMachineInvalid,  ///< the machine is not what the baseline was recorded on: no judgement
  kError,           ///< the case crashed, hung, ran out of memory or threw
};

/// In the order of a summary.
template <>
inline constexpr EnumNames<Verdict, 13> kNames<Verdict> = {
    {{Verdict::kPass, "PASS"},
     {Verdict::kRegressed, "REGRESSED"},
     {Verdict::kUnsteady, "UNSTEADY"},
     {Verdict::kSuspect, "SUSPECT"},
     {Verdict::kOtherKernels, "OTHER_KERNELS"},
     {Verdict::kWrong, "WRONG"},
     {Verdict::kLost, "LOST"},
     {Verdict::kError, "ERROR"},
     {Verdict::kMachineInvalid, "MACHINE_INVALID"},
     {Verdict::kUnsupported, "UNSUPPORTED"},
     {Verdict::kBlind, "BLIND"},
     {Verdict::kImproved, "IMPROVED"},
     {Verdict::kNoBaseline, "NO_BASELINE"}}};

/// What a verdict comes to: the verdict itself is the reason.
enum class Result {
  kPass,       ///< it was judged, and nothing makes it fail
  kFail,       ///< it is worse, wrong or broken
  kNotJudged,  ///< nobody can say
};
template <>
inline constexpr EnumNames<Result, 3> kNames<Result> = {
    {{Result::kPass, "pass"}, {Result::kFail, "fail"}, {Result::kNotJudged, "not judged"}}};

constexpr Result result_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kSuspect:
    case Verdict::kImproved:
      return Result::kPass;
    case Verdict::kBlind:
    case Verdict::kNoBaseline:
    case Verdict::kUnsupported:
    case Verdict::kMachineInvalid:
      return Result::kNotJudged;
    case Verdict::kRegressed:
    case Verdict::kUnsteady:
    case Verdict::kOtherKernels:
    case Verdict::kWrong:
    case Verdict::kLost:
    case Verdict::kError:
      break;
  }
  return Result::kFail;
}

constexpr bool passes(Verdict verdict) { return result_of(verdict) == Result::kPass; }

/// Of two findings about one case: one that regressed and improved has regressed.
constexpr Verdict worse(Verdict a, Verdict b) {
  for (const Verdict verdict :
       {Verdict::kRegressed, Verdict::kUnsteady, Verdict::kSuspect, Verdict::kImproved}) {
    if (a == verdict || b == verdict) {
      return verdict;
    }
  }
  return Verdict::kPass;
}

}  // namespace perfgate
