#include "perfgate/run/cases/unless_broken.h"

#include <exception>

#include "perfgate/core/errors.h"
#include "perfgate/core/plain_text.h"

namespace perfgate {
namespace {

Outcome broken(const std::string& case_key, const std::string& device_id, const std::string& why) {
  Outcome out;
  out.case_key = case_key;
  out.device_id = device_id;
  out.verdict = Verdict::kError;
  out.message = shortened(plain(why));
  return out;
}

}  // namespace

Outcome unless_broken(const std::string& case_key, const std::string& device_id,
                      const std::function<Outcome()>& measured) {
  try {
    return measured();
  } catch (const Error& error) {
    return broken(case_key, device_id, error.problem());
  } catch (const std::exception& error) {
    return broken(case_key, device_id, error.what());
  }
}

}  // namespace perfgate
