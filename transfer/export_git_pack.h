// Writes one pack of git objects and its index (gitformat-pack: pack version 2, index version 2).
//
// Memory: about 50 bytes for each object, and the object that is being added.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "base/result.h"
#include "transfer/export_git_object.h"

namespace blockarch {

// Git's own limit when it makes packs: how many differences lie between an object and a whole one.
inline constexpr std::uint8_t kMaxGitDepth = 50;

class GitPackWriter {
 public:
  // Objects are told by the order in which they came.
  using Number = std::uint32_t;

  // The pack grows in a file "making.pack" of the directory, which must be there.
  static Result<GitPackWriter> create(const std::string& directory);
  GitPackWriter(GitPackWriter&&) noexcept;
  GitPackWriter& operator=(GitPackWriter&&) = delete;
  ~GitPackWriter();

  struct Base {
    Number number = 0;
    ByteView content;
  };
  // An object that is there already is not written again. With a base, the difference from it is written where that is
  // much shorter.
  Result<Number> add(GitKind kind, ByteView content, const Base* base = nullptr);
  // With a difference that the caller knows.
  Result<Number> add_with_delta(GitKind kind, ByteView content, ByteView delta, Number base);

  const GitId& id(Number number) const { return objects_[number].id; }
  // False where differences from it would make chains longer than kMaxGitDepth.
  bool can_be_base(Number number) const { return depths_[number] < kMaxGitDepth; }

  std::uint64_t size() const { return objects_.size(); }
  std::uint64_t bytes() const { return offset_; }
  std::uint64_t deltas() const { return deltas_; }

  // Writes the index and gives both files their names, which end in the pack's checksum.
  Result<void> finish();

 private:
  struct Object {
    GitId id;
    std::uint32_t crc = 0;
    std::uint64_t offset = 0;
  };
  struct Compressor;

  GitPackWriter(std::string directory, Descriptor file);
  std::uint32_t* slot_for(const GitId& id);
  void grow_slots();
  Result<Number> append(const GitId& id, unsigned type, ByteView prefix, ByteView content, std::uint8_t depth);
  Result<void> flush();
  Result<GitId> write_head_and_trailer();
  Result<void> write_index(const GitId& pack_checksum);

  std::string directory_;
  Descriptor file_;
  std::unique_ptr<Compressor> compressor_;
  Sha1 sha1_;
  std::vector<Object> objects_;
  std::vector<std::uint8_t> depths_;
  std::vector<std::uint32_t> slots_;  // number + 1 by id, open addressing; 0 = empty
  Bytes buffer_;
  Bytes packed_;
  std::uint64_t offset_ = 0;
  std::uint64_t deltas_ = 0;
};

}  // namespace blockarch
