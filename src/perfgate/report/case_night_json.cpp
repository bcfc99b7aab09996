#include "perfgate/report/case_night_json.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perfgate/baseline/case_json.h"
#include "perfgate/core/errors.h"
#include "perfgate/core/readable_json.h"
#include "perfgate/core/utc_time.h"
#include "perfgate/report/judgement_json.h"

namespace perfgate {
namespace {

using nlohmann::json;

constexpr std::string_view kCase = R"(,"case":)";

std::string quoted(const std::string& text) { return dump_plain(text); }

// Takes what a line goes on with, or says that it goes on otherwise.
bool take(std::string_view& rest, std::string_view expected) {
  if (rest.substr(0, expected.size()) != expected) {
    return false;
  }
  rest.remove_prefix(expected.size());
  return true;
}

bool is_unescaped(std::string_view text) {
  bool plain = true;  // without an early end the compiler looks at many characters at once
  for (const char c : text) {
    plain &= (c >= 0x20) & (c <= 0x7e) & (c != '\\');
  }
  return plain;
}

// Without escapes, and in ASCII: of others the strict reader knows more.
bool take_text(std::string_view& rest, std::string_view& out) {
  if (!take(rest, "\"")) {
    return false;
  }
  const auto end = rest.find('"');
  if (end == std::string_view::npos || !is_unescaped(rest.substr(0, end))) {
    return false;
  }
  out = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return true;
}

bool take_text(std::string_view& rest, std::string& out) {
  std::string_view text;
  if (!take_text(rest, text)) {
    return false;
  }
  out = text;
  return true;
}

template <class Number>
bool take_number(std::string_view& rest, Number& out) {
  const char* first = rest.data();
  const char* digits = first + (take(rest, "-") ? 1 : 0);
  const bool is_json = !rest.empty() && rest[0] >= '0' && rest[0] <= '9' &&
                       (rest[0] != '0' || rest.size() < 2 || rest[1] < '0' || rest[1] > '9');
  const auto [end, error] = std::from_chars(first, rest.data() + rest.size(), out);
  if (!is_json || error != std::errc() || end == digits) {
    return false;
  }
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return true;
}

bool take_verdict(std::string_view& rest, Verdict& out) {
  std::string_view name;
  if (!take_text(rest, name)) {
    return false;
  }
  const auto verdict = from_name<Verdict>(name);
  out = verdict.value_or(out);
  return verdict.has_value();
}

// What both ways of reading ask for.
bool is_sane(const SeriesNight& series) {
  const auto& noise = series.noise;
  return series.value > 0 && std::isfinite(series.value) && std::isfinite(series.change.log) &&
         series.sessions >= 1 &&
         (!noise || (noise->night > 0 && noise->reference > 0 && noise->degrees > 0));
}

// Whether somewhere stands what {fmt} writes of a number that is none, or one beyond a double.
bool has_no_number(std::string_view line) {
  for (const std::string_view none : {":inf", ":-inf", ":nan", ":-nan"}) {
    if (line.find(none) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

SeriesNight series_from(const JsonCursor& cursor) {
  cursor.allow_only(
      {"value", "change", "noise", "reference_noise", "degrees", "sessions", "verdict"});
  SeriesNight out;
  out.value = cursor.at("value").positive_number();
  out.change = {cursor.at("change").number()};
  if (const auto noise = cursor.find("noise")) {
    out.noise = {noise->positive_number(), cursor.at("reference_noise").positive_number(),
                 cursor.at("degrees").positive_number()};
  }
  out.sessions = static_cast<int>(cursor.at("sessions").integer());
  if (out.sessions < 1) {
    cursor.at("sessions").fail("expected 1 at least");
  }
  out.verdict = cursor.at("verdict").one_of<Verdict>();
  return out;
}

CaseNight night_from(const JsonCursor& cursor) {
  if (cursor.at("schema_version").integer() != kCaseNightSchemaVersion) {
    cursor.at("schema_version")
        .fail("written by another perfgate",
              "move the file out of the folder: a new one begins with the next night");
  }
  cursor.allow_only({"schema_version", "time", "model", "device_id", "commit", "libtorch", "driver",
                     "case", "revision", "workers", "verdict", "metrics", "improvement"});
  CaseNight out;
  out.time = cursor.at("time").text();
  if (!utc_time(out.time)) {
    cursor.at("time").fail("no time: expected one like 2026-11-27T03:00:00Z");
  }
  out.model = cursor.at("model").text();
  out.device_id = cursor.at("device_id").text();
  out.commit = cursor.at("commit").text();
  out.libtorch = cursor.at("libtorch").text();
  if (const auto driver = cursor.find("driver")) {
    out.driver = driver->text();
  }
  out.case_key = cursor.at("case").text();
  out.revision = cursor.at("revision").text();
  out.workers = static_cast<int>(cursor.at("workers").integer());
  if (out.workers < 0) {
    cursor.at("workers").fail("expected 0 at least");
  }
  out.verdict = cursor.at("verdict").one_of<Verdict>();
  for (const auto& [name, item] : cursor.at("metrics").members()) {
    out.metrics[metric_from_json(item, name)] = series_from(item);
  }
  if (const auto improvement = cursor.find("improvement")) {
    for (const auto& [name, item] : improvement->members()) {
      out.improvement[metric_from_json(item, name)] = measurements_from_json(item);
    }
  }
  return out;
}

}  // namespace

std::string line_of(const CaseNight& night) {
  std::string out = fmt::format(
      R"({{"schema_version":{},"time":{},"model":{},"device_id":{},"commit":{},"libtorch":{})",
      kCaseNightSchemaVersion, quoted(night.time), quoted(night.model), quoted(night.device_id),
      quoted(night.commit), quoted(night.libtorch));
  if (night.driver) {
    out += R"(,"driver":)" + quoted(*night.driver);
  }
  out += fmt::format(R"({}{},"revision":{},"workers":{},"verdict":"{}","metrics":{{)", kCase,
                     quoted(night.case_key), quoted(night.revision), night.workers,
                     name_of(night.verdict));
  bool first = true;
  for (const auto& [metric, series] : night.metrics) {
    out += fmt::format(R"({}"{}":{{"value":{:.7g},"change":{:.5g})", first ? "" : ",",
                       text_of(metric), series.value, series.change.log);
    if (series.noise) {
      out += fmt::format(R"(,"noise":{:.4g},"reference_noise":{:.4g},"degrees":{:.4g})",
                         series.noise->night, series.noise->reference, series.noise->degrees);
    }
    out +=
        fmt::format(R"(,"sessions":{},"verdict":"{}"}})", series.sessions, name_of(series.verdict));
    first = false;
  }
  out += '}';
  if (!night.improvement.empty()) {
    json improvement = json::object();
    for (const auto& [metric, measurements] : night.improvement) {
      improvement[text_of(metric)] = measurements;
    }
    out += R"(,"improvement":)" + improvement.dump();
  }
  return out + "}\n";
}

// Metrics are few, and a name takes long to take apart.
std::optional<Metric> CaseNightReader::metric_of(std::string_view name) {
  if (const auto known = metrics_.find(name); known != metrics_.end()) {
    return known->second;
  }
  const auto out = metric_from(name);
  if (out) {
    metrics_.emplace(name, *out);
  }
  return out;
}

bool CaseNightReader::read_metrics(std::string_view& rest) {
  night_.metrics.clear();
  night_.improvement.clear();
  do {
    std::string_view name;
    if (!take_text(rest, name)) {
      return false;
    }
    const auto metric = metric_of(name);
    SeriesNight series;
    SeriesNoise noise;
    if (!metric || night_.metrics.count(*metric) > 0 || !take(rest, R"(:{"value":)") ||
        !take_number(rest, series.value) || !take(rest, R"(,"change":)") ||
        !take_number(rest, series.change.log)) {
      return false;
    }
    if (take(rest, R"(,"noise":)")) {
      if (!take_number(rest, noise.night) || !take(rest, R"(,"reference_noise":)") ||
          !take_number(rest, noise.reference) || !take(rest, R"(,"degrees":)") ||
          !take_number(rest, noise.degrees)) {
        return false;
      }
      series.noise = noise;
    }
    if (!take(rest, R"(,"sessions":)") || !take_number(rest, series.sessions) ||
        !take(rest, R"(,"verdict":)") || !take_verdict(rest, series.verdict) || !take(rest, "}") ||
        !is_sane(series)) {
      return false;
    }
    night_.metrics.emplace_hint(night_.metrics.end(), *metric, series);
  } while (take(rest, ","));
  return take(rest, "}}") && rest.empty();
}

// What a run's lines have in common has been read with the first of them.
bool CaseNightReader::read_canonical(std::string_view line) {
  std::string_view rest = line;
  if (run_.empty() || !take(rest, run_)) {
    run_.clear();
    int version = 0;
    if (!take(rest, R"({"schema_version":)") || !take_number(rest, version) ||
        version != kCaseNightSchemaVersion || !take(rest, R"(,"time":)") ||
        !take_text(rest, night_.time) || !utc_time(night_.time) || !take(rest, R"(,"model":)") ||
        !take_text(rest, night_.model) || !take(rest, R"(,"device_id":)") ||
        !take_text(rest, night_.device_id) || !take(rest, R"(,"commit":)") ||
        !take_text(rest, night_.commit) || !take(rest, R"(,"libtorch":)") ||
        !take_text(rest, night_.libtorch)) {
      return false;
    }
    night_.driver.reset();
    std::string driver;
    if (take(rest, R"(,"driver":)")) {
      if (!take_text(rest, driver)) {
        return false;
      }
      night_.driver = driver;
    }
    if (!take(rest, kCase)) {
      return false;
    }
    run_ = line.substr(0, line.size() - rest.size());
  }
  return take_text(rest, night_.case_key) && take(rest, R"(,"revision":)") &&
         take_text(rest, night_.revision) && take(rest, R"(,"workers":)") &&
         take_number(rest, night_.workers) && night_.workers >= 1 && take(rest, R"(,"verdict":)") &&
         take_verdict(rest, night_.verdict) && take(rest, R"(,"metrics":{)") && read_metrics(rest);
}

const CaseNight* CaseNightReader::read(std::string_view line, std::size_t number) {
  if (read_canonical(line)) {
    return &night_;
  }
  run_.clear();
  const std::string where = fmt::format("{}, line {}", file_, number);
  try {
    night_ = night_from(JsonCursor(parse_strict(line, where), where));
  } catch (const UsageError&) {
    if (has_no_number(line)) {
      return nullptr;
    }
    throw;
  }
  return &night_;
}

bool is_readable(const CaseNight& night) {
  const std::string line = line_of(night);
  try {
    return CaseNightReader("").read(std::string_view(line).substr(0, line.size() - 1), 1) !=
           nullptr;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace perfgate
