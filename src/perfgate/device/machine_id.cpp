#include "perfgate/device/machine_id.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

#include "perfgate/core/ascii.h"

namespace perfgate {
namespace {

std::string first_line(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::string line;
  std::getline(stream, line);
  line.erase(line.find_last_not_of(" \t\r") + 1);
  return line;
}

// In lower case and without dashes, as /etc/machine-id has it and a mainboard's UUID has not.
std::string plain_digits(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != '-') {
      out += lower(c);
    }
  }
  return out;
}

}  // namespace

bool is_id_of_one_machine(const std::string& text) {
  constexpr std::size_t kFewestDigits = 16;
  constexpr std::array<std::string_view, 4> kShared = {
      "b08dfa6083e7567a1921a715000001fb",  // Debian's container images
      "03000200040005000006000700080009",  // mainboards that nobody set up
      "00020003000400050006000700080009",  //
      "123456781234567890abcddeefaabbcc"};

  const std::string digits = plain_digits(text);
  return digits.size() >= kFewestDigits &&
         digits.find_first_not_of("0123456789abcdef") == std::string::npos &&
         digits.find_first_not_of(digits[0]) != std::string::npos &&
         std::find(kShared.begin(), kShared.end(), digits) == kShared.end();
}

MachineId machine_id(const std::filesystem::path& root) {
  constexpr std::array<const char*, 3> kKept = {"etc/machine-id", "var/lib/dbus/machine-id",
                                                "sys/class/dmi/id/product_uuid"};
  std::string why;
  for (const char* name : kKept) {
    const auto path = root / name;
    const std::string text = first_line(path);
    if (is_id_of_one_machine(text)) {
      return {text};
    }
    why += (why.empty() ? "" : ", ") + path.string() +
           (text.empty() ? " has none" : " has \"" + text.substr(0, 64) + "\"");
  }
  return {first_line(root / "proc/sys/kernel/random/boot_id"),
          "no id of this machine alone: " + why};
}

}  // namespace perfgate
