#pragma once
// The verdicts, and what each does to the process's exit code.

#include <array>
#include <string_view>

#include "perfgate/core/errors.h"

namespace perfgate {

enum class Verdict {
  kPass,
  kRegressed,
  kImproved,
  kUnsteady,        ///< tonight's processes disagree by far more than the baseline's ever did
  kBlind,           ///< no slowdown that matters would have been seen: neither pass nor fail
  kNoBaseline,      ///< nothing comparable is recorded
  kWrong,           ///< the numbers differ from the reference
  kUnsupported,     ///< this device or build cannot run the case
  kLost,            ///< it is in the baseline and no longer runs
  kMachineInvalid,  ///< the machine is not what the baseline was recorded on: no judgement
  kError,           ///< the case crashed, hung, ran out of memory or threw
};

constexpr std::array<Verdict, 11> kAllVerdicts = {
    Verdict::kPass,  Verdict::kRegressed, Verdict::kUnsteady,       Verdict::kWrong,
    Verdict::kLost,  Verdict::kError,     Verdict::kMachineInvalid, Verdict::kUnsupported,
    Verdict::kBlind, Verdict::kImproved,  Verdict::kNoBaseline};

constexpr std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "PASS";
    case Verdict::kRegressed:
      return "REGRESSED";
    case Verdict::kImproved:
      return "IMPROVED";
    case Verdict::kUnsteady:
      return "UNSTEADY";
    case Verdict::kBlind:
      return "BLIND";
    case Verdict::kNoBaseline:
      return "NO_BASELINE";
    case Verdict::kWrong:
      return "WRONG";
    case Verdict::kUnsupported:
      return "UNSUPPORTED";
    case Verdict::kLost:
      return "LOST";
    case Verdict::kMachineInvalid:
      return "MACHINE_INVALID";
    case Verdict::kError:
      return "ERROR";
  }
  return "ERROR";
}

/// What this verdict alone would make the process exit with. kSkipped: it says nothing either way.
constexpr ExitCode exit_code_of(Verdict verdict, bool baseline_required) {
  switch (verdict) {
    case Verdict::kPass:
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
