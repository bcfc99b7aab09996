#pragma once
// A run in one of the formats for others.

#include <string>

#include "outcomes.h"
#include "perfgate/report/export.h"

namespace perfgate::testing_support {

inline std::string exported(const std::string& name, const Run& run, bool baseline_required = false,
                            const std::string& file_name = "file") {
  const Baseline recorded = baseline();
  for (const auto& format : export_formats()) {
    if (format.name == name) {
      return format.text_of({run, &recorded, baseline_required, file_name});
    }
  }
  return "no such format";
}

}  // namespace perfgate::testing_support
