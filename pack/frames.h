// The frames of a pack, decompressed and taken apart. Immutable; any thread may use them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "objects/object_id.h"
#include "pack/id_index.h"

namespace blockarch {

class Frame {
 public:
  virtual ~Frame() = default;
  // About how many bytes it takes.
  virtual std::size_t memory() const = 0;
};

// Blocks and layouts, or metadata: the objects' sizes and kinds, then their bytes.
class ContentFrame final : public Frame {
 public:
  static Bytes encode(const std::vector<std::pair<ObjectKind, Bytes>>& objects);
  static Result<std::shared_ptr<const ContentFrame>> parse(Bytes raw, std::uint32_t count, bool metadata);

  ByteView raw() const { return raw_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(kinds_.size()); }
  ObjectKind kind(std::uint32_t at) const { return kinds_[at]; }
  ByteView content(std::uint32_t at) const { return ByteView(raw_).substr(starts_[at], starts_[at + 1] - starts_[at]); }
  // Computed each time.
  Hash256 id(std::uint32_t at) const;
  std::size_t memory() const override { return raw_.size() + kinds_.size() * 5; }

 private:
  Bytes raw_;
  std::vector<std::uint32_t> starts_;
  std::vector<ObjectKind> kinds_;
};

// What the objects of a content or metadata frame are, without their bytes: forty times as small as they are, so that it stays
// in memory where they do not. Made from the frame by hashing all of it.
class FrameIds final : public Frame {
 public:
  explicit FrameIds(const ContentFrame& frame);

  std::uint32_t count() const { return static_cast<std::uint32_t>(objects_.size()); }
  const Hash256& id(std::uint32_t at) const { return objects_[at].id; }
  ObjectKind kind(std::uint32_t at) const { return objects_[at].kind; }
  std::uint64_t size(std::uint32_t at) const { return objects_[at].size; }
  // Where the object with this id stands.
  std::optional<std::uint32_t> find(const Hash256& id) const;
  std::size_t memory() const override { return objects_.size() * (sizeof(Entry) + sizeof(std::uint32_t)); }

 private:
  struct Entry {
    Hash256 id;
    std::uint32_t size = 0;
    ObjectKind kind = ObjectKind::block;
  };

  std::vector<Entry> objects_;
  std::vector<std::uint32_t> sorted_;  // places, by id
};

// Lists and versions, each a record (pack/recipe.h).
class RecipeFrame final : public Frame {
 public:
  static Bytes encode(const std::vector<Bytes>& lists, const std::vector<Bytes>& versions);
  static Result<std::shared_ptr<const RecipeFrame>> parse(Bytes raw, std::uint32_t lists, std::uint32_t versions);

  ByteView list(std::uint32_t at) const { return record(at); }
  ByteView version(std::uint32_t at) const { return record(lists_ + at); }
  std::size_t memory() const override { return raw_.size() + starts_.size() * sizeof(std::uint32_t); }

 private:
  ByteView record(std::uint32_t at) const { return ByteView(raw_).substr(starts_[at], starts_[at + 1] - starts_[at]); }

  Bytes raw_;
  std::vector<std::uint32_t> starts_;
  std::uint32_t lists_ = 0;
};

// Of each version its id and the first eight bytes of its payload's hash.
class VersionsFrame final : public Frame {
 public:
  static constexpr std::size_t kEntrySize = 40;
  static void put(Bytes& out, const Hash256& id, std::uint64_t payload);
  static Result<std::shared_ptr<const VersionsFrame>> parse(Bytes raw, std::uint32_t count);

  Hash256 id(std::uint32_t at) const;
  std::uint64_t payload(std::uint32_t at) const;
  std::size_t memory() const override { return raw_.size(); }

 private:
  Bytes raw_;
};

// Ids of objects that stand elsewhere: contents, then lists.
class ExternalsFrame final : public Frame {
 public:
  static Result<std::shared_ptr<const ExternalsFrame>> parse(Bytes raw, std::uint32_t contents, std::uint32_t lists);

  Hash256 content(std::uint32_t at) const { return id(at); }
  Hash256 list(std::uint32_t at) const { return id(contents_ + at); }
  std::size_t memory() const override { return raw_.size(); }

 private:
  Hash256 id(std::uint32_t at) const;

  Bytes raw_;
  std::uint32_t contents_ = 0;
};

class IndexFrame final : public Frame {
 public:
  explicit IndexFrame(IndexReader index) : index_(std::move(index)) {}
  const IndexReader& index() const { return index_; }
  std::size_t memory() const override { return index_.memory(); }

 private:
  IndexReader index_;
};

}  // namespace blockarch
