#include "perfgate/workloads/gpt_fast/shapes.h"

namespace perfgate::gpt_fast {

Case named_case(const std::string& workload, const std::string& variant, std::int64_t width,
                Implementation implementation) {
  const std::string stem = "gpt_fast/" + workload + "/" + variant + "/D" + std::to_string(width);
  Case out;
  out.key = stem + "/" + std::string(name_of(implementation));
  if (implementation == Implementation::kCompiled) {
    out.package =
        Package{stem, "gpt_fast/" + workload + ".py", {{"variant", variant}, {"width", width}}};
  }
  return out;
}

}  // namespace perfgate::gpt_fast
