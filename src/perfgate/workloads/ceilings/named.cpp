// Which ceilings a suite needs.

#include <algorithm>
#include <iterator>
#include <set>

#include "perfgate/workloads/ceilings/ceilings.h"

namespace perfgate::ceilings {

#ifndef PERFGATE_CUDA
std::vector<Case> all(at::DeviceType /*device*/) { return {}; }  // their kernels need nvcc
#endif

std::vector<Case> named_by(const std::vector<Case>& cases, at::DeviceType device) {
  std::vector<Case> out;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(out),
               [](const Case& item) { return item.ceiling.has_value(); });
  std::set<Ceiling> wanted;
  for (const auto& item : cases) {
    for (const auto& [phase, work] : item.phases) {
      if (const auto ceiling = ceiling_for(work)) {
        wanted.insert(*ceiling);
      }
    }
  }
  for (const auto& own : out) {
    wanted.erase(own.ceiling->ceiling);
  }
  for (auto& item : all(device)) {
    if (item.ceiling && wanted.count(item.ceiling->ceiling) > 0) {
      out.push_back(std::move(item));
    }
  }
  return out;
}

}  // namespace perfgate::ceilings
