#pragma once
// Which device is meant by --device, and what its workers have to be told. Knows no LibTorch.

#include <memory>
#include <string>

#include "perfgate/device/device.h"
#include "perfgate/process/launcher.h"

namespace perfgate {

/// "cpu" and, in a build with a CUDA toolkit, "cuda", "cuda:N" and "cuda:<uuid>". Throws UsageError
/// saying what is possible.
std::unique_ptr<Device> make_device(const std::string& name);

/// The device under another id: machines that were made from one image may share their machine-id,
/// and with it each other's sessions. Throws UsageError for a GPU, whose UUID no other has, and for
/// an id that is not of letters, digits, '.', '_' and '-'.
std::unique_ptr<Device> with_id(std::unique_ptr<Device> device, const std::string& id);

/// The GPUs that this process may use as a resource specification for CTest (JSON), a slot each:
/// with it, `ctest -j` gives every test a GPU of its own. Throws UsageError where there is none.
std::string resource_spec();

/// A worker sees one GPU, the one that was meant, whatever its number was.
WorkerDevice worker_device(const DeviceIdentity& identity);

}  // namespace perfgate
