#pragma once
// A transformer that Inductor compiled: one program is every layer of a pass over one token,
// another every layer of a pass over the prompt, a third the head. Weights and caches are their
// inputs, so the 32 layers of a model need no 32 programs.

#include <map>
#include <string>

#include "perfgate/workloads/case.h"
#include "perfgate/workloads/compiled_package.h"
#include "perfgate/workloads/language_models/generation.h"
#include "perfgate/workloads/language_models/model_shape.h"
#include "perfgate/workloads/language_models/transformer.h"

namespace perfgate::language_models {

/// What `programs` of language_model.py makes for a model. `name`: of the package's file.
Package package_of(const std::string& name, const ModelShape& shape, const Precision& precision,
                   std::int64_t positions, std::int64_t prompt);

/// The model by the programs `layer_of_token`, `layer_of_prompt` and `head`: passes over one token,
/// or over a prompt of so many; of another number the pass throws std::invalid_argument. The caches
/// are the model's; it must outlive the pass. Routes are noted and never followed.
ModelPass compiled_pass(const Transformer& model,
                        const std::map<std::string, CompiledOutputs>& programs,
                        std::int64_t prompt);

/// The same by a model's package. `head`: which of its programs is the head, "head" or, with the
/// vocabulary in parts, "split_head". Throws Unsupported where it cannot be loaded.
ModelPass compiled_pass(const Transformer& model, const Package& package, const std::string& head,
                        const PrepareContext& context);

}  // namespace perfgate::language_models
