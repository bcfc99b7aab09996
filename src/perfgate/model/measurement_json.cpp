#include "perfgate/model/measurement_json.h"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <variant>

#include "perfgate/model/measured_range.h"

namespace perfgate {
namespace {

using nlohmann::json;

json to_json(const KernelRecord& kernel) {
  json out = {{"name", kernel.name},
              {"count", kernel.count},
              {"busy_us", kernel.busy_us},
              {"grid", kernel.grid},
              {"block", kernel.block},
              {"registers", kernel.registers},
              {"shared_bytes", kernel.shared_bytes},
              {"local_bytes", kernel.local_bytes}};
  if (!kernel.implementation.empty()) {
    out["implementation"] = kernel.implementation;
  }
  if (!kernel.configuration.empty()) {
    out["configuration"] = kernel.configuration;
  }
  if (!kernel.source.empty()) {
    out["source"] = kernel.source;
  }
  if (kernel.bytes_a_launch) {
    out["bytes_a_launch"] = *kernel.bytes_a_launch;
  }
  return out;
}

std::array<std::int64_t, 3> extents_from(const JsonCursor& cursor) {
  const auto items = cursor.elements();
  if (items.size() != 3) {
    cursor.fail("expected three numbers");
  }
  return {items[0].integer(), items[1].integer(), items[2].integer()};
}

KernelRecord kernel_from_json(const JsonCursor& cursor) {
  cursor.allow_only({"name", "count", "busy_us", "grid", "block", "registers", "shared_bytes",
                     "local_bytes", "implementation", "configuration", "source", "bytes_a_launch"});
  KernelRecord out;
  out.name = cursor.at("name").text();
  out.count = cursor.at("count").integer();
  out.busy_us = said_number(cursor.at("busy_us"));
  out.grid = extents_from(cursor.at("grid"));
  out.block = extents_from(cursor.at("block"));
  out.registers = cursor.at("registers").integer();
  out.shared_bytes = cursor.at("shared_bytes").integer();
  out.local_bytes = cursor.at("local_bytes").integer();
  if (const auto item = cursor.find("implementation")) {
    out.implementation = item->text();
  }
  if (const auto item = cursor.find("configuration")) {
    out.configuration = item->text();
  }
  if (const auto item = cursor.find("source")) {
    out.source = item->text();
  }
  if (const auto item = cursor.find("bytes_a_launch")) {
    out.bytes_a_launch = measured_number(*item);
  }
  return out;
}

}  // namespace

json to_json(const Protocol& protocol) {
  json out = json::object();
  for (const auto& [name, setting] : protocol) {
    std::visit([&out, &name = name](const auto& value) { out[name] = value; }, setting);
  }
  return out;
}

Protocol protocol_from_json(const JsonCursor& cursor) {
  Protocol out;
  for (const auto& [name, item] : cursor.members()) {
    if (item.raw().is_boolean()) {
      out[name] = item.boolean();
    } else if (item.raw().is_number_integer()) {
      out[name] = item.integer();
    } else if (item.raw().is_string()) {
      out[name] = item.text();
    } else {
      item.fail("expected true, false, a whole number or a string");
    }
  }
  return out;
}

json to_json(const std::vector<KernelRecord>& kernels) {
  json out = json::array();
  for (const auto& kernel : kernels) {
    out.push_back(to_json(kernel));
  }
  return out;
}

std::vector<KernelRecord> kernels_from_json(const JsonCursor& cursor) {
  std::vector<KernelRecord> out;
  for (const auto& item : cursor.elements()) {
    out.push_back(kernel_from_json(item));
  }
  return out;
}

}  // namespace perfgate
