#pragma once
// Which machine this is. An /etc/machine-id that is empty, a placeholder or part of an image is
// every machine's that was made from it, and two machines with one id would be taken for one
// device.

#include <filesystem>
#include <optional>
#include <string>

namespace perfgate {

/// Whether the text, such as that of /etc/machine-id, can be the id of one machine: hexadecimal
/// digits, of a length that was drawn, and none that images or mainboards are known to share.
bool is_id_of_one_machine(const std::string& text);

struct MachineId {
  std::string id;
  /// Why it will not be the same after the next boot; nothing where it will.
  std::optional<std::string> why_not_kept = {};
};

/// Of the machine below `root`: etc/machine-id, var/lib/dbus/machine-id, what the mainboard says
/// (which often only root may read), else the id of this boot, which is not kept.
MachineId machine_id(const std::filesystem::path& root);

}  // namespace perfgate
