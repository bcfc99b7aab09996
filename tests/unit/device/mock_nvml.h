#pragma once
// An NVML that answers as an H200 does, until a test lets a call fail.

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "perfgate/device/nvml.h"

namespace perfgate::testing_support {

class MockNvml : public Nvml {
 public:
  MockNvml() {
    ON_CALL(*this, error_text(testing::_)).WillByDefault(testing::Return("Not Supported"));
    ON_CALL(*this, sm_clock_mhz(testing::_, testing::_))
        .WillByDefault(testing::DoAll(testing::SetArgPointee<1>(1980), testing::Return(0)));
    ON_CALL(*this, power_mw(testing::_, testing::_))
        .WillByDefault(testing::DoAll(testing::SetArgPointee<1>(123'456), testing::Return(0)));
  }
  MOCK_METHOD(int, handle_by_pci_bus_id, (const std::string& pci_bus_id, void** gpu), (override));
  MOCK_METHOD(int, driver_version, (std::string * version), (override));
  MOCK_METHOD(int, sm_clock_mhz, (void* gpu, unsigned* mhz), (override));
  MOCK_METHOD(int, memory_clock_mhz, (void* gpu, unsigned* mhz), (override));
  MOCK_METHOD(int, power_mw, (void* gpu, unsigned* milliwatts), (override));
  MOCK_METHOD(int, temperature_c, (void* gpu, unsigned* degrees), (override));
  MOCK_METHOD(int, uncorrected_ecc_errors, (void* gpu, unsigned long long* errors), (override));
  MOCK_METHOD(int, clock_event_reasons, (void* gpu, unsigned long long* reasons), (override));
  MOCK_METHOD(int, compute_processes, (void* gpu, std::vector<unsigned>* pids), (override));
  MOCK_METHOD(std::string, error_text, (int code), (override));
};

}  // namespace perfgate::testing_support
