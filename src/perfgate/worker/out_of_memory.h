#pragma once
// How a worker recognises that memory ran out, and what it then says.

#include <string>

namespace perfgate {

/// Whether an error's words mean that memory ran out. Not every allocator throws OutOfMemoryError:
/// LibTorch's on the CPU and the CUDA libraries' have words of their own.
bool says_out_of_memory(const std::string& text);

/// What the case needs and what there is, in bytes.
std::string out_of_memory_text(double wanted, double available);

}  // namespace perfgate
