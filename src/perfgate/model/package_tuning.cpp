#include "perfgate/model/package_tuning.h"

#include <nlohmann/json.hpp>

namespace perfgate {

nlohmann::json to_json(const PackageTuning& tuning) {
  return {{"libtorch", tuning.libtorch}, {"triton", tuning.triton}, {"programs", tuning.programs}};
}

PackageTuning package_tuning_from_json(const JsonCursor& cursor) {
  cursor.allow_only({"libtorch", "triton", "programs"});
  PackageTuning out{cursor.at("libtorch").text(), cursor.at("triton").text(), {}};
  for (const auto& [name, program] : cursor.at("programs").members()) {
    out.programs[name] = program.texts();
  }
  if (out.programs.empty()) {
    cursor.at("programs").fail("a package has at least one program");
  }
  return out;
}

}  // namespace perfgate
