#include "perfgate/device/machine_id.h"

#include <gmock/gmock.h>

#include "fixtures/temporary_folder.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::put_bytes;
using testing_support::TemporaryFolder;

constexpr const char* kOfOneMachine = "3d1219c7c4c5404aaa1f6d2a48adfda4";
constexpr const char* kOfAMainboard = "B3AC1A42-6B7E-4E0C-9C39-0F6D1C7E22A1";

TEST(MachineIdText, IsOfOneMachineWhereItWasDrawn) {
  EXPECT_TRUE(is_id_of_one_machine(kOfOneMachine));
  EXPECT_TRUE(is_id_of_one_machine(kOfAMainboard));
}

TEST(MachineIdText, IsNoneWhereItIsAPlaceholderOrAnImages) {
  for (const char* text :
       {"", "uninitialized", "00000000000000000000000000000000", "ffffffffffffffffffffffffffffffff",
        "00000000-0000-0000-0000-000000000000", "b08dfa6083e7567a1921a715000001fb",
        "B08DFA6083E7567A1921A715000001FB", "my golden image", "Not Settable", "0", "deadbeef",
        "03000200-0400-0500-0006-000700080009"}) {
    EXPECT_FALSE(is_id_of_one_machine(text)) << text;
  }
}

class MachineIdOnAFakeRoot : public testing::Test {
 protected:
  MachineIdOnAFakeRoot() {
    put_bytes(root_ / "proc/sys/kernel/random/boot_id", "b007-1d\n");
    put_bytes(root_ / "etc/machine-id", "uninitialized\n");
  }
  TemporaryFolder root_;
};

TEST_F(MachineIdOnAFakeRoot, IsTheFirstThatIsOfOneMachine) {
  put_bytes(root_ / "sys/class/dmi/id/product_uuid", std::string(kOfAMainboard) + "\n");
  EXPECT_EQ(machine_id(root_.path()).id, kOfAMainboard);
  put_bytes(root_ / "var/lib/dbus/machine-id", "4f1219c7c4c5404aaa1f6d2a48adfda4\n");
  EXPECT_EQ(machine_id(root_.path()).id, "4f1219c7c4c5404aaa1f6d2a48adfda4");
  put_bytes(root_ / "etc/machine-id", std::string(kOfOneMachine) + "\n");
  EXPECT_EQ(machine_id(root_.path()).id, kOfOneMachine);
  EXPECT_EQ(machine_id(root_.path()).why_not_kept, std::nullopt);
}

TEST_F(MachineIdOnAFakeRoot, IsThatOfTheBootWhereThereIsNoneAndSaysSo) {
  put_bytes(root_ / "sys/class/dmi/id/product_uuid", "03000200-0400-0500-0006-000700080009\n");
  const MachineId found = machine_id(root_.path());
  EXPECT_EQ(found.id, "b007-1d");
  EXPECT_THAT(found.why_not_kept.value(),
              AllOf(HasSubstr("etc/machine-id has \"uninitialized\""),
                    HasSubstr("dbus/machine-id has none"), HasSubstr("0700080009\"")));
}

}  // namespace
}  // namespace perfgate
