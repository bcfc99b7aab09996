#pragma once
// A function of TorchScript, compiled from source text.

#include <ATen/core/ivalue.h>

#include <functional>
#include <string>
#include <vector>

namespace perfgate::fastrnns {

using ScriptFunction = std::function<c10::IValue(const std::vector<c10::IValue>& arguments)>;

/// `name` of `source`: compiled here, optimised in its first runs by whatever executor is set then.
/// Throws c10::Error for source that is malformed.
ScriptFunction compile_script(const std::string& source, const std::string& name);

}  // namespace perfgate::fastrnns
