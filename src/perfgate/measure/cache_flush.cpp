#include "perfgate/measure/cache_flush.h"

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace perfgate {
namespace {

constexpr std::size_t kLine = 64;

#if defined(__x86_64__)
__attribute__((target("clflushopt"))) void flush_unordered(const char* begin, const char* end) {
  for (const char* line = begin; line < end; line += kLine) {
    _mm_clflushopt(const_cast<char*>(line));
  }
}

void flush_ordered(const char* begin, const char* end) {
  for (const char* line = begin; line < end; line += kLine) {
    _mm_clflush(line);
  }
}

bool has_clflushopt() {
  unsigned eax = 7;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  __asm__("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  return ((ebx >> 23) & 1) != 0;
}
#endif

}  // namespace

void LineFlush::flush([[maybe_unused]] std::span<const std::span<const std::byte>> memory) {
#if defined(__x86_64__)
  static const bool unordered = has_clflushopt();
  for (const auto& region : memory) {
    const auto* data = reinterpret_cast<const char*>(region.data());
    const auto* begin = data - reinterpret_cast<std::uintptr_t>(data) % kLine;
    const auto* end = data + region.size();
    unordered ? flush_unordered(begin, end) : flush_ordered(begin, end);
  }
  _mm_mfence();
#endif
}

EvictingFlush::EvictingFlush(std::size_t last_level_cache_bytes)
    : buffer_(2 * last_level_cache_bytes, 1) {}

void EvictingFlush::flush(std::span<const std::span<const std::byte>> /*memory*/) {
  unsigned char sum = 0;
  for (std::size_t i = 0; i < buffer_.size(); i += kLine) {
    sum ^= buffer_[i];
  }
  sink_ = sum;
}

}  // namespace perfgate
