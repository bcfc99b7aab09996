#pragma once
// How TorchScript runs what it compiled: which fuser, which executor. Both are switches of the
// whole process, read when a function runs for the first few times.

#include <c10/core/DeviceType.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/core/enum_names.h"

namespace perfgate::fastrnns {

enum class Fuser {
  kTe,    ///< TensorExpr, after profiling
  kOld,   ///< the fuser from before TensorExpr
  kNone,  ///< no fusion
};
enum class Executor {
  kProfiling,  ///< watches the first runs, then compiles for the shapes that it saw
  kSimple,     ///< compiles at once, without watching
  kLegacy,     ///< the executor from before profiling
};

/// What a scripted case runs under.
struct ScriptSettings {
  Fuser fuser = Fuser::kTe;
  Executor executor = Executor::kProfiling;
};

/// "te_profiling".
std::string text_of(ScriptSettings settings);

/// Whether LibTorch comes so.
bool is_default(ScriptSettings settings);

/// Every fuser under every executor.
std::vector<ScriptSettings> all_settings();

/// Why this build cannot run scripts so; empty where it can. `on_gpu`: what they compute on.
std::string why_unavailable(ScriptSettings settings, bool on_gpu);

/// Sets the process's switches, and what they were again when it goes.
class ScriptSettingsGuard {
 public:
  explicit ScriptSettingsGuard(ScriptSettings settings);
  ~ScriptSettingsGuard();
  ScriptSettingsGuard(const ScriptSettingsGuard&) = delete;
  ScriptSettingsGuard& operator=(const ScriptSettingsGuard&) = delete;

 private:
  bool executor_;
  bool profiling_;
  bool fuse_on_gpu_;
  bool tensor_expressions_;
};

/// What a script runs under for as long as the guard is kept: switches are read whenever something
/// is compiled. Nothing where there is no script. Throws Unsupported where this build cannot.
std::shared_ptr<ScriptSettingsGuard> guard_for(const std::optional<ScriptSettings>& settings,
                                               at::DeviceType device);

}  // namespace perfgate::fastrnns

namespace perfgate {
template <>
inline constexpr EnumNames<fastrnns::Fuser, 3> kNames<fastrnns::Fuser> = {
    {{fastrnns::Fuser::kTe, "te"},
     {fastrnns::Fuser::kOld, "old"},
     {fastrnns::Fuser::kNone, "none"}}};
template <>
inline constexpr EnumNames<fastrnns::Executor, 3> kNames<fastrnns::Executor> = {
    {{fastrnns::Executor::kProfiling, "profiling"},
     {fastrnns::Executor::kSimple, "simple"},
     {fastrnns::Executor::kLegacy, "legacy"}}};
}  // namespace perfgate
