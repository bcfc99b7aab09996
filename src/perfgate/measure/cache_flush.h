#pragma once
// A cold cache without a dirty one. Evicting 260 MiB of last-level cache by reading costs 50 ms a
// sample; flushing just the lines that the body will fetch costs what the body itself does.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perfgate {

class CacheFlush {
 public:
  virtual ~CacheFlush() = default;
  /// Afterwards the next access to any of this memory goes to DRAM.
  virtual void flush(std::span<const std::span<const std::byte>> memory) = 0;
  /// For the protocol: "lines" or "evict".
  [[nodiscard]] virtual std::string name() const = 0;
};

/// By cache line (x86 clflushopt, or clflush where that is missing).
class LineFlush final : public CacheFlush {
 public:
  void flush(std::span<const std::span<const std::byte>> memory) override;
  [[nodiscard]] std::string name() const override { return "lines"; }
};

/// By reading a buffer of at least twice the last-level cache, on any processor.
class EvictingFlush final : public CacheFlush {
 public:
  explicit EvictingFlush(std::size_t last_level_cache_bytes);
  void flush(std::span<const std::span<const std::byte>> memory) override;
  [[nodiscard]] std::string name() const override { return "evict"; }

 private:
  std::vector<unsigned char> buffer_;
  volatile unsigned char sink_ = 0;
};

}  // namespace perfgate
