#pragma once
// Work that is captured once as a graph of the device, and replayed by a single call of the host.

#include <functional>

namespace perfgate {

/// Runs `work` once while its kernels are captured from the current stream, which must not be the
/// legacy default one. Gives what replays them there, on the same memory: inputs are read, and
/// outputs written, where they were. Random numbers go on from the default generator's state. The
/// work must have run before, so that libraries have made what they need; it must not synchronise.
/// What it uses must live as long as what is returned. Throws Unsupported where this LibTorch has
/// no graphs, and c10::Error where it cannot capture the work.
std::function<void()> captured_graph(const std::function<void()>& work);

}  // namespace perfgate
