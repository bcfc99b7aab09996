#include "perfgate/run/unless_broken.h"

#include "perfgate/core/errors.h"

namespace perfgate {

Outcome unless_broken(const std::string& case_key, const std::string& device_id,
                      const std::function<Outcome()>& measured) {
  try {
    return measured();
  } catch (const SystemError& error) {
    Outcome out;
    out.case_key = case_key;
    out.device_id = device_id;
    out.verdict = Verdict::kError;
    out.message = error.problem();
    return out;
  }
}

}  // namespace perfgate
