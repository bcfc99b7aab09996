#pragma once
// A case: one workload at one shape, dtype and implementation, declared with its traffic in closed
// form and prepared only in the worker that measures it. See docs/your-kernel.md.

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "perfgate/core/units.h"
#include "perfgate/measure/sampler.h"
#include "perfgate/workloads/packages.h"

namespace perfgate {

/// How the same work is done: LibTorch operators one by one, or an AOTInductor package.
enum class Implementation { kEager, kCompiled };
template <>
inline constexpr EnumNames<Implementation, 2> kNames<Implementation> = {
    {{Implementation::kEager, "eager"}, {Implementation::kCompiled, "compiled"}}};
constexpr Implementation kImplementations[] = {Implementation::kEager, Implementation::kCompiled};

/// Thrown by prepare or by the first run when this device or build cannot do the case at all.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A compiled program: which of the suite's Python files makes it, with what.
struct Package {
  std::string name;    ///< the case's key without its implementation; the file is <name>.pt2,
                       ///< which several implementations may load
  std::string source;  ///< "gpt_fast/gemv.py"; its program(**arguments, device) is exported, or
                       ///< what its programs(**arguments, device) names
  std::map<std::string, std::variant<std::int64_t, double, std::string>> arguments;
  bool timed = false;  ///< whether what it takes to compile is measured
};

/// Where a case is prepared.
struct PrepareContext {
  at::Device device;
  Packages packages;         ///< those of this kind of device
  std::string architecture;  ///< the device's model: what compiled code was made for
  Tuning tuning = {};        ///< what an earlier worker of the case found
};

/// A case in memory: prepared.h.
struct Prepared;

/// Where a case tells what the device can do: other cases' utilisation is measured against it.
struct ToldCeiling {
  Ceiling ceiling;
  std::function<double(Seconds net)> value;  ///< from the time that the body takes by itself
};

/// What utilisation is a share of.
struct TheBound {};   ///< DRAM reads or bf16 tensor cores, by what the phase runs into
struct NoCeiling {};  ///< there is no utilisation
using UtilisationOf = std::variant<TheBound, NoCeiling, Ceiling>;

/// What a case measures itself of a phase, and has judged beside its time.
struct OwnMetric {
  std::string name;  ///< own_quantity (model/metric.h) says which are possible
  Unit unit = Unit::kCount;
  Better better = Better::kLower;
  std::optional<double> tolerance = {};  ///< relative; the policy's where none
};

/// What a phase of a case declares.
struct Work {
  Traffic traffic;      ///< what must move and be done: the judged rates rest on it
  Traffic executed;     ///< what this implementation roughly moves and does, temporaries included
  double launches = 0;  ///< roughly so many kernels or operators, where they are small and many
  UtilisationOf utilisation_of = TheBound{};
  Judged judged = Judged::kDeviceTime;
  bool judges_memory = false;  ///< of the device, at most; where LibTorch counts it
  Statistic statistic =
      Statistic::kMedian;                ///< of a session's workers, where device time is judged;
                                         ///< at its first session, later its record says
  std::optional<double> tolerance = {};  ///< relative, of device time; the policy's where none
  std::vector<OwnMetric> own_metrics = {};  ///< what the prepared phase's own_values gives
};

/// How a case is shown beside others.
struct Presentation {
  /// What the case is, by the words of the benchmark that it comes from, for its tables.
  std::map<std::string, ProtocolSetting> parameters;
  /// Key of the case whose time over this one's is a speed-up that is shown; empty: none.
  std::string compared_with;
};

struct Case {
  std::string key;  ///< family/workload/.../implementation, stable and readable
  std::map<Phase, Work> phases = {{Phase::kWhole, {}}};
  Bytes footprint;  ///< peak memory, roughly, inputs and temporaries included; 0: not known. What
                    ///< does not fit is not begun; what was allocated is measured
  std::optional<Package> package;      ///< of a compiled implementation
  bool judges_compile_time = false;    ///< of that package, which must be timed
  std::optional<ToldCeiling> ceiling;  ///< what this case tells of the device, if anything
  Presentation shown;
  /// Whether the output must be contiguous, where that is a property of the case.
  std::optional<bool> contiguous;
  bool by_default = true;     ///< part of a night; false: runs where --case asks for it
  bool may_be_large = false;  ///< lifts the limits of a CPU's cases (why_impractical)
  /// Whether it is prepared, run and checked with LibTorch's autograd, for forward and backward.
  /// Without it in inference mode, in which operators record nothing.
  bool autograd = false;
  bool may_refuse = false;  ///< LibTorch is known to refuse this combination on some devices: its
                            ///< c10::Error then means UNSUPPORTED, elsewhere ERROR
  std::function<Prepared(const PrepareContext&)> prepare;

  [[nodiscard]] Work& work(Phase phase = Phase::kWhole) { return phases.at(phase); }
  [[nodiscard]] const Work& work(Phase phase = Phase::kWhole) const { return phases.at(phase); }
};

/// The ceiling that a phase's utilisation is a share of; none where it has no utilisation.
std::optional<Ceiling> ceiling_for(const Work& work);

/// Rough length of one sample, at rates that any current device of the kind reaches.
Seconds expected_length(const Work& work, at::DeviceType device);

/// What the case declares that cannot be: a number that is negative or not finite, a comparison
/// with itself; nothing where all of it can.
std::optional<std::string> why_unsound(const Case& item);

/// Why the case is not run on such a device, with the limit and how to lift it; nothing where it
/// is. On a CPU samples take under 0.5 s and a case under 2 GiB, elsewhere anything goes.
std::optional<std::string> why_impractical(const Case& item, at::DeviceType device);

/// A table without its cases that are impractical on the device: of shapes that are a GPU's.
template <std::vector<Case> (*table)(at::DeviceType)>
std::vector<Case> practical(at::DeviceType device) {
  auto out = table(device);
  std::erase_if(out,
                [device](const Case& item) { return why_impractical(item, device).has_value(); });
  return out;
}

/// "int8", "bf16", "fp16", "fp32", "fp64"; throws std::invalid_argument for another type.
std::string short_name(at::ScalarType dtype);
double size_of(at::ScalarType dtype);
/// The ceiling of matrix products of this dtype: its tensor cores, or fp32's multiply-adds.
Ceiling product_ceiling(at::ScalarType dtype);

/// The ceiling of fp32 operands that are multiplied in TF32.
inline const Ceiling kTf32Ceiling{"tf32", Unit::kGflopPerS};
inline const Ceiling kDramCopyCeiling{"dram_copy", Unit::kGbPerS};

}  // namespace perfgate
