#include "misbehaving.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <thread>

#include "perfgate/workloads/prepared.h"

namespace perfgate::selftest {
namespace {

using Deed = std::function<at::Tensor()>;

constexpr int kResultPipe = 3;  // where a worker finds the pipe for its report

Case case_that(const std::string& key, const Deed& deed) {
  Case item;
  item.key = key;
  item.work().traffic = {{1e6}, {1e6}, Bound::kMemory};
  item.work().executed = item.work().traffic;
  item.prepare = [deed](const PrepareContext&) {
    return PreparedPhase{deed, [] { return at::zeros({2, 3}, at::kDouble); }, {{1e-6, 0}}, {}};
  };
  return item;
}

at::Tensor zeros_with(std::int64_t row, std::int64_t column, double value) {
  auto out = at::zeros({2, 3});
  out[row][column] = value;
  return out;
}

}  // namespace

std::vector<Case> misbehaving_cases(at::DeviceType /*device*/) {
  const std::string stem = "misbehaving/";
  std::vector<Case> out;
  out.push_back(case_that(stem + "crash", []() -> at::Tensor {
    std::raise(SIGSEGV);
    return {};
  }));
  out.push_back(case_that(stem + "hang", []() -> at::Tensor {
    std::this_thread::sleep_for(std::chrono::hours(1));
    return {};
  }));
  out.push_back(case_that(stem + "exit", []() -> at::Tensor { std::_Exit(9); }));
  out.push_back(case_that(stem + "throw",
                          []() -> at::Tensor { throw std::runtime_error("thrown on purpose"); }));
  out.push_back(
      case_that(stem + "allocate", [] { return at::empty({std::int64_t{1} << 50}, at::kByte); }));
  out.back().may_refuse = true;  // which too little memory is not
  out.push_back(case_that(stem + "refuse_late", [runs = 0]() mutable {
    TORCH_CHECK(++runs < 2, "no more");
    return at::zeros({2, 3});
  }));
  out.back().may_refuse = true;
  out.push_back(case_that(
      stem + "refuse", []() -> at::Tensor { throw Unsupported("this device has no such unit"); }));
  Case refused = case_that(stem + "refused_by_libtorch", []() -> at::Tensor {
    TORCH_CHECK(false, "expected scalar type BFloat16 but found Float");
  });
  refused.may_refuse = true;
  out.push_back(std::move(refused));
  out.push_back(case_that(stem + "wrong", [] { return zeros_with(1, 2, 0.5); }));
  out.push_back(case_that(
      stem + "nan", [] { return zeros_with(0, 1, std::numeric_limits<double>::quiet_NaN()); }));
  out.push_back(case_that(stem + "flood", []() -> at::Tensor {
    const std::string junk(1 << 20, 'x');
    while (::write(kResultPipe, junk.data(), junk.size()) > 0) {
    }
    return {};
  }));
  out.push_back(case_that(stem + "stray", [] {
    // In a session of its own, where killing the worker's group does not reach it.
    if (std::system("setsid sleep 4711 > /dev/null 2>&1 &") != 0) {
      throw std::runtime_error("no shell");
    }
    return at::zeros({2, 3});
  }));
  out.push_back(case_that(stem + "well", [] { return at::zeros({2, 3}); }));
  return out;
}

std::vector<Case> searching_cases(at::DeviceType /*device*/) {
  Case item = case_that("searching/tuned", [] { return at::zeros({2, 3}); });
  item.prepare = [prepare = item.prepare](const PrepareContext& context) {
    Prepared out = prepare(context);
    out.tuning = context.tuning;
    if (out.tuning.empty()) {
      out.tuning["found_by"] = std::to_string(::getpid());
    }
    out.phase().own_values = [] { return std::map<std::string, double>{{"rows", 2}}; };
    return out;
  };
  item.work().own_metrics = {{.name = "rows", .unit = Unit::kCount}};
  return {item};
}

std::vector<Case> on_demand_cases(at::DeviceType /*device*/) {
  const auto well = [] { return at::zeros({2, 3}); };
  std::vector<Case> out = {case_that("on_demand/nightly", well),
                           case_that("on_demand/asked_for", well)};
  out.back().by_default = false;
  return out;
}

std::vector<Case> on_demand_to_order(const std::string& keys, at::DeviceType /*device*/) {
  if (keys != "on_demand/made/7") {
    return {};
  }
  return {case_that(keys, [] { return at::zeros({2, 3}); })};
}

std::vector<Case> refusing_cases(at::DeviceType /*device*/) {
  return {case_that("refusing/always",
                    []() -> at::Tensor { throw Unsupported("nothing here can run"); })};
}

}  // namespace perfgate::selftest
