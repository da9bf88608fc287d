// The decoders of packs, each by itself and a whole file through Pack and ObjectStore. Checksums are put right first: a
// fuzzer would hardly ever guess them, and what they let through must not do harm either.
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "base/coding.h"
#include "base/lmdb.h"
#include "pack/object_store.h"
#include "pack/pack.h"
#include "refs/tables.h"
#include "tests/fuzz/require.h"
#include "tests/support/temporary_directory.h"

using namespace blockarch;

namespace {

class MemoryFile final : public ReadableFile {
 public:
  explicit MemoryFile(Bytes bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Result<Bytes> read_at(std::uint64_t offset, std::uint64_t count) const override {
    if (offset > bytes_.size() || count > bytes_.size() - offset) return Error{ErrorCode::corrupt, "too short"};
    return bytes_.substr(offset, count);
  }

 private:
  Bytes bytes_;
};

// One file, whatever its name.
class MemoryFiles final : public FileSystem {
 public:
  Bytes content;

  Result<Bytes> read_file(const std::string&, std::uint64_t) override { return content; }
  Result<void> write_file(const std::string&, ByteView) override { return none(); }
  Result<std::unique_ptr<ReadableFile>> open_input(const std::string&) override {
    return std::unique_ptr<ReadableFile>(std::make_unique<MemoryFile>(content));
  }
  Result<std::unique_ptr<WritableFile>> open_output(const std::string&) override { return none(); }
  Result<void> rename(const std::string&, const std::string&) override { return none(); }
  Result<void> remove(const std::string&) override { return none(); }
  Result<void> make_directory(const std::string&) override { return none(); }
  Result<void> sync_directory(const std::string&) override { return none(); }
  Result<std::vector<std::string>> list_directory(const std::string&) override { return none(); }
  Result<std::optional<Info>> info(const std::string&) override { return none(); }

 private:
  static Error none() { return {ErrorCode::io, "not here"}; }
};

// Tables without anything in them, for ObjectStore.
const Lmdb& empty_tables() {
  static const TemporaryDirectory directory;
  static const Lmdb lmdb = [] {
    LmdbOptions options;
    options.create = true;
    options.tables = table_names();
    return Lmdb::open(directory.file(kHotFile), options).value();
  }();
  return lmdb;
}

void check_directory(ByteView bytes) {
  ByteReader reader(bytes);
  const std::uint64_t end = reader.varint_up_to(1 << 20);
  if (!reader.ok()) return;
  const auto directory = decode_directory(reader.rest(), end);
  if (directory) require(encode_directory(*directory) == reader.rest(), "a directory is written as it was read");
}

void check_recipes(ByteView bytes) {
  if (const auto list = decode_list_recipe(bytes)) {
    const auto again = decode_list_recipe(encode_list_recipe(*list));
    require(again && *again == *list, "a list is read as it was written");
  }
  if (const auto version = decode_version_recipe(bytes)) {
    require(encode_version_recipe(*version) == bytes, "a version is written as it was read");
    require(decode_version_head(bytes).has_value(), "a version that decodes has a head");
  }
}

void check_frames(ByteView bytes) {
  ByteReader reader(bytes);
  const auto count = static_cast<std::uint32_t>(reader.varint_up_to(UINT32_MAX));
  const auto lists = static_cast<std::uint32_t>(reader.varint_up_to(UINT32_MAX));
  if (!reader.ok()) return;
  const Bytes raw(reader.rest());
  std::uint64_t sum = 0;
  for (const bool metadata : {false, true}) {
    const auto frame = ContentFrame::parse(raw, count, metadata);
    if (!frame) continue;
    const FrameIds ids(**frame);
    for (std::uint32_t i = 0; i < ids.count(); ++i) {
      require(ids.id(i) == (*frame)->id(i), "a frame and its ids tell the same");
      require(ids.find(ids.id(i)).has_value(), "an object is found in its frame");
    }
  }
  if (const auto frame = RecipeFrame::parse(raw, lists, count)) {
    for (std::uint32_t i = 0; i < lists; ++i) sum += (*frame)->list(i).size();
    for (std::uint32_t i = 0; i < count; ++i) sum += (*frame)->version(i).size();
    require(sum <= raw.size(), "records lie in their frame");
  }
  if (const auto frame = VersionsFrame::parse(raw, count)) {
    for (std::uint32_t i = 0; i < count; ++i) sum += (*frame)->id(i).bytes[0] + (*frame)->payload(i);
  }
  if (const auto frame = ExternalsFrame::parse(raw, count, lists)) {
    for (std::uint32_t i = 0; i < count; ++i) sum += (*frame)->content(i).bytes[0];
    for (std::uint32_t i = 0; i < lists; ++i) sum += (*frame)->list(i).bytes[0];
  }
}

void check_index(ByteView bytes) {
  ByteReader reader(bytes);
  const auto part = static_cast<std::uint32_t>(reader.varint_up_to(1 << 20));
  const auto count = static_cast<std::uint32_t>(reader.varint_up_to(UINT32_MAX));
  const std::uint64_t total = reader.varint();
  const auto values = static_cast<std::uint32_t>(reader.varint_up_to(UINT32_MAX));
  if (!reader.ok()) return;
  const auto index = IndexReader::parse(Bytes(reader.rest()), part, count, total, values);
  if (!index) return;
  const auto entries = index->entries();
  require(entries.size() == count, "an index has as many entries as it says");
  for (const IndexEntry& entry : entries) {
    std::vector<std::uint32_t> found;
    index->find(entry.head, 64, found);
    require(!found.empty(), "an entry is found");
  }
}

// The file with its checksums put right, where it has a directory at all.
Bytes with_right_checksums(ByteView file) {
  if (file.size() < kPackMagicSize + kPackFooterSize) return Bytes(file);
  ByteReader footer(file.substr(file.size() - kPackFooterSize));
  const std::uint64_t place = footer.fixed64();
  if (place < kPackMagicSize || place > file.size() - kPackFooterSize) return Bytes(file);
  auto directory = decode_directory(file.substr(place, file.size() - kPackFooterSize - place), place);
  if (!directory) return Bytes(file);
  for (FrameEntry& frame : directory->frames) {
    frame.checksum = frame_checksum(file.substr(frame.offset, frame.stored_size));
  }
  const Bytes encoded = encode_directory(*directory);
  Bytes right(kPackMagic, kPackMagicSize);
  right.append(file.substr(kPackMagicSize, place - kPackMagicSize));
  right.append(encoded);
  put_fixed64(right, place);
  put_fixed64(right, encoded.size());
  put_fixed64(right, frame_checksum(encoded));
  put_hash(right, blake3(right));
  return right;
}

void check_pack(ByteView bytes) {
  MemoryFiles files;
  files.content = with_right_checksums(bytes);
  const auto pack = Pack::open(files, "a.pack", std::make_shared<FrameCache>(64 << 20));
  if (!pack) return;
  const PackDirectory& directory = (*pack)->directory();
  const ReadTransaction transaction = empty_tables().read().value();
  const ObjectStore store(transaction, find_tables(empty_tables()).objects, {*pack});
  constexpr std::uint32_t kEnough = 1000;
  for (std::uint32_t i = 0; i < std::min(kEnough, directory.contents); ++i) {
    if (const auto content = (*pack)->content(i)) (void)store.find(content->id()).has_value();
  }
  for (std::uint32_t i = 0; i < std::min(kEnough, directory.metadata); ++i) (void)(*pack)->metadata(i).has_value();
  for (std::uint32_t i = 0; i < std::min(kEnough, directory.lists); ++i)
    (void)store.list_id(**pack, {i, false}).has_value();
  for (std::uint32_t i = 0; i < std::min(kEnough, directory.versions); ++i) {
    Hash256 hash;
    const auto page = store.page({pack->get(), i}, &hash);
    const auto head = (*pack)->payload_head(i);
    if (page)
      require(blake3(*page) == hash && head && head_of(hash) == *head, "a page has the hash that it should have");
    (void)store.version({pack->get(), i}).has_value();
    (void)store.facts({pack->get(), i}).has_value();
    const auto number = (*pack)->version_number(i);
    (void)store.packed_version(number).has_value();
    if (const auto id = (*pack)->version_id(i)) (void)store.find(*id).has_value();
  }
  (void)store.find_prefix("0", 10).has_value();
  (void)(*pack)->versions_with_payload(0).has_value();
  (void)(*pack)->check_trailer().has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ByteView bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0:
      check_directory(bytes);
      break;
    case 1:
      check_recipes(bytes);
      break;
    case 2:
      check_frames(bytes);
      break;
    case 3:
      check_index(bytes);
      break;
    default:
      check_pack(bytes);
  }
  return 0;
}
