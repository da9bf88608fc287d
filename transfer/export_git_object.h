// Git's objects as far as an export writes them: their ids and the streaming SHA-1 behind them.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>

#include "base/bytes.h"

namespace blockarch {

struct GitId {
  std::array<std::uint8_t, 20> bytes{};

  ByteView view() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  std::string hex() const { return to_hex(view()); }
  auto operator<=>(const GitId&) const = default;
};

// The numbers that packs use.
enum class GitKind : std::uint8_t { commit = 1, tree = 2, blob = 3 };

class Sha1 {
 public:
  Sha1();
  ~Sha1();
  Sha1(Sha1&&) noexcept;
  Sha1& operator=(Sha1&&) noexcept;

  Sha1& update(ByteView bytes);
  // Begins anew afterwards.
  GitId finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// SHA-1 over "blob 12\0" and the content. The hasher is only lent.
GitId git_id(Sha1& hasher, GitKind kind, ByteView content);

}  // namespace blockarch
