#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "base/coding.h"
#include "fsck/finding_kinds.h"
#include "fsck/lmdb_format.h"
#include "objects/loose_store.h"
#include "pack/pack.h"
#include "pack/pack_writer.h"
#include "refs/history.h"
#include "refs/pack_table.h"
#include "refs/payload_index.h"
#include "refs/removed.h"
#include "refs/url_table.h"
#include "tests/fsck/archive_copy.h"
#include "tests/support/test_archive.h"

namespace blockarch {
namespace {

namespace fs = std::filesystem;

using Change = std::function<void(WriteTransaction&, const Tables&)>;
using Damage = std::function<void(const ArchiveCopy&)>;

Damage in_tables(Change change) {
  return [change](const ArchiveCopy& copy) { copy.change(change); };
}

struct Entry {
  Bytes key;
  Bytes value;
};

// The first entry of a table that the condition holds for.
Entry find_entry(const ReadTransaction& transaction, Table table,
                 const std::function<bool(const KeyValue&)>& condition = {}) {
  Cursor cursor = must(transaction.cursor(table));
  for (auto at = must(cursor.first()); at; at = must(cursor.next())) {
    if (!condition || condition(*at)) return {Bytes(at->key), Bytes(at->value)};
  }
  FAIL("the archive has no such entry");
  return {};
}

bool is_kind(const KeyValue& at, ObjectKind kind) {
  return must(LooseStore::describe(at.value)).kind == kind;
}
bool has_base(const KeyValue& at) {
  return must(LooseStore::describe(at.value)).base.has_value();
}

// The last byte of the first entry of a table, changed.
Damage flip_value(Table Tables::*table) {
  return in_tables([table](WriteTransaction& t, const Tables& tables) {
    Entry entry = find_entry(t, tables.*table);
    entry.value.back() = static_cast<char>(entry.value.back() ^ 1);
    must(t.put(tables.*table, entry.key, entry.value));
  });
}

Damage erase_first(Table Tables::*table) {
  return in_tables([table](WriteTransaction& t, const Tables& tables) {
    REQUIRE(must(t.erase(tables.*table, find_entry(t, tables.*table).key)));
  });
}

Hash256 put_object(WriteTransaction& t, const Tables& tables, ObjectKind kind, const Bytes& content) {
  const ObjectId id(kind, hash_object(kind, content));
  must(t.put(tables.objects, id.hash.view(), make_loose_object(id, content).value));
  return id.hash;
}

// A page "<p>text</p>" whose parts a test may change before they are stored, captured under kCopyUrl.
struct HandMade {
  Layout layout{{"<p>", "</p>"}};
  BlockTree tree;
  Version version;

  HandMade() {
    tree.nodes.resize(1);
    tree.nodes[0].size = 4;
    tree.nodes[0].opens_slot = true;
    version.payload_hash = blake3("<p>text</p>");
    version.payload_size = 11;
  }

  void store(WriteTransaction& t, const Tables& tables) {
    const Hash256 block = put_object(t, tables, ObjectKind::block, "text");
    version.layout.hash = put_object(t, tables, ObjectKind::layout, encode_layout(layout));
    if (tree.nodes[0].content.hash.is_zero()) tree.nodes[0].content = {ObjectKind::block, block};
    version.tree.hash = put_object(t, tables, ObjectKind::tree, encode_block_tree(tree));
    const VersionId id{put_object(t, tables, ObjectKind::version, encode_version(version))};
    const VersionNumber number = must(append_number(t, tables.version_numbers, id));
    must(add_payload(t, tables.payloads, version.payload_hash, number));
    must(insert_observation(t, tables, {0}, {copy_time(20), number, std::nullopt}));
  }
};

Damage hand_made(const std::function<void(HandMade&)>& adjust) {
  return in_tables([adjust](WriteTransaction& t, const Tables& tables) {
    HandMade page;
    adjust(page);
    page.store(t, tables);
  });
}

void leave_page_unused(const ArchiveCopy& copy) {
  using namespace lmdb_format;
  std::string bytes = copy.read(kHotFile);
  const Meta first = load_meta(bytes);
  const std::size_t size = first.page_size();
  const bool second_is_newer = load_meta(ByteView(bytes).substr(size)).transaction > first.transaction;
  // The lowest byte of the last page's number; the file has fewer than 255 pages.
  char& last_page = bytes[(second_is_newer ? size : 0) + meta_at::kLastPage];
  REQUIRE(static_cast<unsigned char>(last_page) < 255);
  bytes.resize((static_cast<unsigned char>(last_page) + 1) * size);
  ++last_page;
  copy.write(kHotFile, bytes + std::string(size, '\0'));
}

void rename_table(const ArchiveCopy& copy) {
  std::string bytes = copy.read(kHotFile);
  const std::string name = "version_numbers";
  for (std::size_t at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at + 1)) {
    bytes[at + name.size() - 1] = 'z';
  }
  copy.write(kHotFile, bytes);
}

void damage_root_page(const ArchiveCopy& copy) {
  std::string bytes = copy.read(kHotFile);
  for (std::size_t page = 2; page * 4096 < bytes.size(); ++page) bytes[page * 4096 + 10] = '\x40';
  copy.write(kHotFile, bytes);
}

bool has_differences_below(const KeyValue& at) {
  return must(LooseStore::describe(at.value)).depth > 1;
}

void change_depth(WriteTransaction& t, const Tables& tables) {
  Entry entry = find_entry(t, tables.objects, has_differences_below);
  Bytes head(1, entry.value[0]);
  put_varint(head, must(LooseStore::describe(entry.value)).size);
  --entry.value[head.size()];
  must(t.put(tables.objects, entry.key, entry.value));
}

void remove_base(WriteTransaction& t, const Tables& tables) {
  const Entry entry = find_entry(t, tables.objects, has_base);
  REQUIRE(must(t.erase(tables.objects, must(LooseStore::describe(entry.value)).base->view())));
}

Damage remove_object(ObjectKind kind) {
  return in_tables([kind](WriteTransaction& t, const Tables& tables) {
    const auto entry = find_entry(t, tables.objects, [kind](const KeyValue& at) { return is_kind(at, kind); });
    REQUIRE(must(t.erase(tables.objects, entry.key)));
  });
}

void skip_numbers(WriteTransaction& t, const Tables& tables) {
  const VersionId known{must(number_table::id_of(t, tables.version_numbers, 0))};
  while (must(number_table::count(t, tables.version_numbers)) <= number_table::kIdsPerValue) {
    must(append_number(t, tables.version_numbers, known));
  }
  REQUIRE(must(t.erase(tables.version_numbers, find_entry(t, tables.version_numbers).key)));
}

Damage observe(UrlNumber url, const Observation& observation) {
  return in_tables(
      [=](WriteTransaction& t, const Tables& tables) { must(insert_observation(t, tables, url, observation)); });
}

Damage packed(const Damage& damage) {
  return [damage](const ArchiveCopy& copy) {
    copy.become_packed();
    damage(copy);
  };
}

void flip_byte(const ArchiveCopy& copy, const std::string& name, std::size_t at) {
  std::string bytes = copy.read(name);
  REQUIRE(at < bytes.size());
  bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
  copy.write(name, bytes);
}

std::shared_ptr<const Pack> open_pack(const ArchiveCopy& copy, const std::string& name) {
  return must(Pack::open(posix_files(), copy.path() + "/" + name, std::make_shared<FrameCache>(1 << 20)));
}

Damage flip_frame(FrameType type) {
  return packed([type](const ArchiveCopy& copy) {
    const std::string name = copy.packs().at(0);
    std::size_t at = 0;
    const auto pack = open_pack(copy, name);
    for (const FrameEntry& frame : pack->directory().frames) {
      if (frame.type == type) at = frame.offset + frame.stored_size / 2;
    }
    REQUIRE(at > 0);
    flip_byte(copy, name, at);
  });
}

// A pack with one page "<p>text</p>", which a test may make wrong, beside the others; captured under kCopyUrl.
struct HandMadePack {
  VersionRecipe recipe;
  PackWriter::VersionNames names;
  Hash256 indexed_block = hash_object(ObjectKind::block, "text");

  HandMadePack() {
    recipe.payload_size = 11;
    recipe.layout.number = 1;
    recipe.nodes.resize(1);
    recipe.nodes[0].opens_slot = true;
    Version version;
    version.payload_hash = blake3("<p>text</p>");
    version.payload_size = 11;
    version.layout.hash = hash_object(ObjectKind::layout, encode_layout({{"<p>", "</p>"}}));
    BlockTree tree;
    tree.nodes.resize(1);
    tree.nodes[0].size = 4;
    tree.nodes[0].opens_slot = true;
    tree.nodes[0].content = {ObjectKind::block, indexed_block};
    version.tree.hash = hash_object(ObjectKind::tree, encode_block_tree(tree));
    names = {id_of(version).hash, head_of(version.payload_hash), 40, version.tree.hash};
  }

  void store(const ArchiveCopy& copy) const {
    const std::string temporary = copy.path() + "/packs/making.tmp";
    PackWriter writer = must(PackWriter::create(posix_files(), temporary, {}));
    const Bytes layout = encode_layout({{"<p>", "</p>"}});
    const Bytes raw = ContentFrame::encode({{ObjectKind::block, "text"}, {ObjectKind::layout, layout}});
    must(writer.add_contents(FrameType::content, {indexed_block, hash_object(ObjectKind::layout, layout)},
                             compress_frame(raw, {}), std::nullopt));
    writer.type_number({});
    must(writer.add_version(names, recipe));
    const Hash256 name = must(writer.finish());
    fs::rename(temporary, copy.path() + "/" + pack_file_name(name));
    copy.change([&](WriteTransaction& t, const Tables& tables) {
      must(add_pack(t, tables, name));
      must(insert_observation(t, tables, {0}, {copy_time(20), {names.number}, std::nullopt}));
    });
  }
};

Damage hand_made_pack(const std::function<void(HandMadePack&)>& adjust) {
  return packed([adjust](const ArchiveCopy& copy) {
    HandMadePack pack;
    adjust(pack);
    pack.store(copy);
  });
}

// For every id a way to bring it about.
const std::map<std::string_view, Damage>& damages() {
  using namespace findings;
  static const std::map<std::string_view, Damage> all = {
      {kFormatDamaged.id, [](const ArchiveCopy& copy) { copy.write("format", "blockarch"); }},
      {kCurrentDamaged.id, [](const ArchiveCopy& copy) { copy.write("current", "hot.mdb"); }},
      {kHotMissing.id, [](const ArchiveCopy& copy) { fs::remove(copy.hot()); }},
      {kTmpLeftover.id, [](const ArchiveCopy& copy) { copy.write("tmp/half-written", "x"); }},
      {kFileUnknown.id, [](const ArchiveCopy& copy) { copy.write("notes.txt", "x"); }},
      {kHotPageDamaged.id, damage_root_page},
      {kHotPageLeaked.id, leave_page_unused},
      {kTableMissing.id, rename_table},
      {kTableUnknown.id, rename_table},
      {kPackEntryDamaged.id, packed(flip_value(&Tables::packs))},
      {kPackMissing.id, packed([](const ArchiveCopy& copy) { fs::remove(copy.path() + "/" + copy.packs().at(0)); })},
      {kPackUnlisted.id, packed([](const ArchiveCopy& copy) { copy.write("packs/other.pack", "x"); })},
      {kPackMisnamed.id, packed([](const ArchiveCopy& copy) {
         flip_byte(copy, copy.packs().at(1), copy.read(copy.packs().at(1)).size() - 1);
       })},
      {kPackDamaged.id, packed([](const ArchiveCopy& copy) {
         const std::string bytes = copy.read(copy.packs().at(0));
         copy.write(copy.packs().at(0), bytes.substr(0, bytes.size() - 1));
       })},
      {kPackFrameDamaged.id, flip_frame(FrameType::content)},
      {kPackRecipeWrong.id, hand_made_pack([](HandMadePack& pack) { pack.recipe.nodes[0].content.number = 99; })},
      {kPackIndexWrong.id, flip_frame(FrameType::content_index)},
      {kObjectDamaged.id, flip_value(&Tables::objects)},
      {kObjectMalformed.id, in_tables([](WriteTransaction& t, const Tables& tables) {
         put_object(t, tables, ObjectKind::tree, "no tree");
       })},
      {kObjectBaseMissing.id, in_tables(remove_base)},
      {kObjectDepthWrong.id, in_tables(change_depth)},
      {kObjectUnreferenced.id, in_tables([](WriteTransaction& t, const Tables& tables) {
         put_object(t, tables, ObjectKind::block, "nobody's");
       })},
      {kReferenceMissing.id, remove_object(ObjectKind::block)},
      {kReferenceWrongKind.id, hand_made([](HandMade& page) {
         page.tree.nodes[0].content = {ObjectKind::block, hash_object(ObjectKind::layout, encode_layout(page.layout))};
       })},
      {kReferenceWrongSize.id, hand_made([](HandMade& page) { page.tree.nodes[0].size = 5; })},
      {kVersionInconsistent.id, hand_made([](HandMade& page) {
         page.layout = {{"<p>", "-", "</p>"}};
       })},
      {kPageDiffers.id, hand_made([](HandMade& page) { page.version.payload_hash = blake3("<p>next</p>"); })},
      {kVersionUnreadable.id, remove_object(ObjectKind::layout)},
      {kMetadataUnreadable.id, remove_object(ObjectKind::metadata)},
      {kNumberDamaged.id, flip_value(&Tables::version_numbers)},
      {kNumberMissing.id, in_tables(skip_numbers)},
      {kNumberDangling.id, remove_object(ObjectKind::version)},
      {kNumberConflict.id, hand_made_pack([](HandMadePack& pack) { pack.names.number = 0; })},
      {kUrlDamaged.id, flip_value(&Tables::urls)},
      {kUrlMismatch.id, erase_first(&Tables::urls)},
      {kUrlRecordDamaged.id, flip_value(&Tables::url_records)},
      {kUrlRecordMissing.id, erase_first(&Tables::url_records)},
      {kUrlWithoutHistory.id, in_tables([](WriteTransaction& t, const Tables& tables) {
         must(add_url(t, tables, must(parse_url("https://example.org/never"))));
       })},
      {kHistoryDamaged.id, flip_value(&Tables::history)},
      {kHistoryMisordered.id, in_tables([](WriteTransaction& t, const Tables& tables) {
         const ChunkKey key{{0}, copy_time(30), 3};
         must(t.put(tables.history, encode_chunk_key(key), encode_chunk(key, {{copy_time(30), {0}, std::nullopt}})));
       })},
      {kHistoryVersionMissing.id, observe({0}, {copy_time(30), {999}, std::nullopt})},
      {kHistoryMetadataMissing.id, observe({0}, {copy_time(30), {0}, MetadataNumber{999}})},
      {kHistoryUrlMissing.id, observe({77}, {copy_time(30), {0}, std::nullopt})},
      {kRemovedDamaged.id, in_tables([](WriteTransaction& t, const Tables& tables) {
         must(t.put(tables.removed, encode_removed_key(copy_time(0), 0), "no seal"));
       })},
      {kVersionUnobserved.id, erase_first(&Tables::history)},
      {kPayloadIndexMissing.id, erase_first(&Tables::payloads)},
      {kPayloadIndexWrong.id,
       in_tables([](WriteTransaction& t, const Tables& tables) { must(t.put(tables.payloads, "8 bytes!", "four")); })},
      {kTagDamaged.id, flip_value(&Tables::tags)},
      {kSettingDamaged.id, flip_value(&Tables::settings)},
  };
  return all;
}

TEST_CASE("the archive that the tests damage is clean before") {
  const ArchiveCopy copy;
  const FsckReport report = copy.check();
  INFO(text_of(report));
  CHECK(report.findings.empty());
  CHECK(report.urls == 2);
  CHECK(report.observations == 9);
  CHECK(report.versions == 7);
  CHECK(report.objects > report.versions);
  CHECK(report.unreferenced == 0);
}

TEST_CASE("a base that was stored anew, whole, leaves what stands on it readable and the archive clean") {
  const ArchiveCopy copy;
  in_tables([](WriteTransaction& t, const Tables& tables) {
    const Entry upper = find_entry(t, tables.objects, has_differences_below);
    const Hash256 base = *must(LooseStore::describe(upper.value)).base;
    const auto object = must(LooseStore(t, tables.objects).find(base));
    REQUIRE(object);
    must(t.put(tables.objects, base.view(), make_loose_object({object->kind, base}, object->content).value));
    REQUIRE(must(LooseStore::describe(*must(t.get(tables.objects, base.view())))).depth == 0);
  })(copy);
  const FsckReport report = copy.check();
  INFO(text_of(report));
  CHECK(report.findings.empty());
  CHECK(report.rebuilt == 7);
}

TEST_CASE("a packed archive is clean, with a pack made by hand beside it too") {
  const ArchiveCopy copy;
  copy.become_packed();
  FsckReport report = copy.check();
  INFO(text_of(report));
  CHECK(report.findings.empty());
  CHECK(report.packs == 2);
  CHECK(report.urls == 2);
  CHECK(report.observations == 13);
  CHECK(report.versions == 11);
  CHECK(report.rebuilt == 11);
  REQUIRE(open_pack(copy, copy.packs().at(1))->directory().external_contents > 0);
  HandMadePack().store(copy);
  report = copy.check();
  INFO(text_of(report));
  CHECK(report.findings.empty());
  CHECK(report.packs == 3);
  CHECK(report.versions == 12);
}

TEST_CASE("every kind of finding is brought about by damage of its kind") {
  for (const FindingKind& kind : all_finding_kinds()) {
    const auto damage = damages().find(kind.id);
    INFO("finding " << kind.id);
    REQUIRE(damage != damages().end());
    const ArchiveCopy copy;
    damage->second(copy);
    const FsckReport report = copy.check();
    INFO(text_of(report));
    REQUIRE(ids_of(report).contains(std::string(kind.id)));
    bool all_notices = true;
    for (const Finding& finding : report.findings) {
      if (finding.id == kind.id) CHECK(finding.severity == kind.severity);
      CHECK(finding.message.find('\n') == std::string::npos);
      CHECK(!finding.message.empty());
      all_notices = all_notices && finding.severity == Severity::notice;
    }
    CHECK(report.clean() == all_notices);
  }
  CHECK(damages().size() == all_finding_kinds().size());
}

TEST_CASE("damage that costs nothing leaves the archive clean, other damage does not") {
  const std::set<std::string_view> notices = {"tmp-leftover", "file-unknown", "hot-page-leaked", "pack-unlisted",
                                              "object-unreferenced"};
  for (const auto& [id, damage] : damages()) {
    const ArchiveCopy copy;
    damage(copy);
    const FsckReport report = copy.check();
    INFO(id << "\n" << text_of(report));
    CHECK(report.clean() == notices.contains(id));
  }
}

// "| `id` | severity | …", in the order of the document.
std::vector<std::pair<std::string, std::string>> documented_findings() {
  std::ifstream file(BLOCKARCH_SOURCE_DIR "/docs/fsck.md");
  std::vector<std::pair<std::string, std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) continue;
    std::istringstream cells(line);
    std::string bar, id, second_bar, severity;
    cells >> bar >> id >> second_bar >> severity;
    rows.emplace_back(id.substr(1, id.size() - 2), severity);
  }
  return rows;
}

TEST_CASE("docs/fsck.md lists every finding with its severity, and no other") {
  std::vector<std::pair<std::string, std::string>> expected;
  for (const FindingKind& kind : all_finding_kinds()) {
    const char* severity = kind.severity == Severity::damage    ? "damage"
                           : kind.severity == Severity::derived ? "derived"
                                                                : "notice";
    expected.emplace_back(kind.id, severity);
  }
  CHECK(documented_findings() == expected);
}

TEST_CASE("a damaged block names the URL and the time of the captures that it costs") {
  const ArchiveCopy copy;
  copy.change([](WriteTransaction& t, const Tables& tables) {
    // The page of kOtherUrl's first capture, which is no HTML.
    const Hash256 id = must(number_table::id_of(t, tables.version_numbers, 5));
    const Version version = must(load_version(LooseStore(t, tables.objects), VersionId{id}));
    REQUIRE(version.payload_size == 6000);
    const BlockTree tree = must(load_block_tree(LooseStore(t, tables.objects), version.tree));
    const Hash256 content = tree.nodes.back().content.hash;
    REQUIRE(must(t.erase(tables.objects, content.view())));
  });
  const FsckReport report = copy.check();
  INFO(text_of(report));
  CHECK(ids_of(report).contains("reference-missing"));
  int unreadable = 0;
  for (const Finding& finding : report.findings) {
    if (finding.id != "version-unreadable") continue;
    ++unreadable;
    CHECK(finding.message.find(kOtherUrl) != std::string::npos);
    CHECK(finding.message.find(format_rfc3339(copy_time(1))) != std::string::npos);
  }
  CHECK(unreadable == 1);
}

TEST_CASE("a page seen often is named once, with how often it was captured") {
  const ArchiveCopy copy;
  copy.change([](WriteTransaction& t, const Tables& tables) {
    // Captures 0 and 5 of kCopyUrl show the same page.
    const Hash256 id = must(number_table::id_of(t, tables.version_numbers, 0));
    REQUIRE(must(t.erase(tables.objects, id.view())));
  });
  const FsckReport report = copy.check();
  INFO(text_of(report));
  int unreadable = 0;
  for (const Finding& finding : report.findings) {
    if (finding.id != "version-unreadable") continue;
    ++unreadable;
    CHECK(finding.message.find(format_rfc3339(copy_time(0)) + " (and 1 more)") != std::string::npos);
  }
  CHECK(unreadable == 1);
}

}  // namespace
}  // namespace blockarch
