#pragma once
// The verdicts, and what each does to the process's exit code.

#include <array>

#include "perfgate/core/enum_names.h"
#include "perfgate/core/errors.h"

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

/// It was judged, and nothing makes it fail.
constexpr bool passes(Verdict verdict) {
  return verdict == Verdict::kPass || verdict == Verdict::kSuspect || verdict == Verdict::kImproved;
}

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

/// What this verdict alone would make the process exit with. kSkipped: it says nothing either way.
constexpr ExitCode exit_code_of(Verdict verdict, bool baseline_required) {
  switch (verdict) {
    case Verdict::kPass:
    case Verdict::kSuspect:
    case Verdict::kImproved:
      return ExitCode::kOk;
    case Verdict::kNoBaseline:
      return baseline_required ? ExitCode::kFail : ExitCode::kSkipped;
    case Verdict::kBlind:
    case Verdict::kUnsupported:
      return ExitCode::kSkipped;
    case Verdict::kMachineInvalid:
      return ExitCode::kRefused;
    case Verdict::kRegressed:
    case Verdict::kUnsteady:
    case Verdict::kOtherKernels:
    case Verdict::kWrong:
    case Verdict::kLost:
    case Verdict::kError:
      return ExitCode::kFail;
  }
  return ExitCode::kFail;
}

/// The stronger of two exit codes: usage, fail, refused, ok, skipped.
constexpr ExitCode stronger(ExitCode a, ExitCode b) {
  constexpr std::array<ExitCode, 5> kStrongestFirst = {
      ExitCode::kUsage, ExitCode::kFail, ExitCode::kRefused, ExitCode::kOk, ExitCode::kSkipped};
  for (const ExitCode code : kStrongestFirst) {
    if (a == code || b == code) {
      return code;
    }
  }
  return ExitCode::kFail;
}

}  // namespace perfgate
