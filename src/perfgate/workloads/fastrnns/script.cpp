#include "perfgate/workloads/fastrnns/script.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/jit.h>

#include <memory>

namespace perfgate::fastrnns {

ScriptFunction compile_script(const std::string& source, const std::string& name) {
  const std::shared_ptr<torch::jit::CompilationUnit> unit = torch::jit::compile(source);
  return [unit, function = &unit->get_function(name)](const std::vector<c10::IValue>& arguments) {
    return (*function)(arguments);
  };
}

}  // namespace perfgate::fastrnns
