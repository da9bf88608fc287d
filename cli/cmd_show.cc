// blockarch show: the facts about a capture, a version or any other object.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/level_text.h"
#include "cli/session.h"
#include "cli/show_blocks.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "engine/names.h"
#include "history/levels.h"

namespace blockarch {
namespace {

// Facts in two columns, or as the members of a JSON object.
class Facts {
 public:
  Facts(Output& out, bool json) : out_(out), json_(json) {}

  void add(const std::string& key, const std::string& title, const Json& value, std::string text,
           Style style = Style::plain) {
    document_[key] = value;
    rows_.push_back({{title, Style::dim}, {std::move(text), style}});
  }
  void id(const std::string& key, const Hash256& hash) { add(key, key, hash.hex(), hash.hex(), Style::cyan); }
  void size(const std::string& key, const std::string& title, std::uint64_t bytes) {
    add(key, title, bytes, counted(bytes, "byte", "bytes"));
  }
  void time(const std::string& key, Time time) { add(key, key, format_rfc3339(time), format_rfc3339(time)); }
  void metadata(const Metadata& metadata) {
    document_["metadata"] = metadata_json(metadata);
    for (const auto& [key, value] : metadata.entries) rows_.push_back({{"meta", Style::dim}, {key + ": " + value}});
  }
  void url_metadata(const Metadata& metadata) {
    if (metadata.empty()) return;
    document_["url_metadata"] = metadata_json(metadata);
    for (const auto& [key, value] : metadata.entries)
      rows_.push_back({{"of the URL", Style::dim}, {key + ": " + value}});
  }
  // For people only.
  void remark(const std::string& text) { rows_.push_back({{"", Style::dim}, {text, Style::dim}}); }
  Json& document() { return document_; }

  void print() {
    if (json_) return write_json_document(out_, document_);
    TextTable table(out_, {{}, {}});
    for (auto& row : rows_) table.row(std::move(row));
    table.finish();
  }

 private:
  Output& out_;
  bool json_;
  Json document_ = Json::object();
  std::vector<std::vector<Cell>> rows_;
};

void add_version(Facts& facts, const VersionInfo& info) {
  const Version& version = info.version;
  facts.id("version", info.id.hash);
  facts.size("size", "size", version.payload_size);
  facts.add("type", "type", version.media_type, version.media_type.empty() ? "unknown" : version.media_type);
  if (!version.charset.empty()) facts.add("charset", "charset", version.charset, version.charset);
  facts.add("payload_hash", "BLAKE3", version.payload_hash.hex(), version.payload_hash.hex(), Style::dim);
  const auto leaves = std::count_if(info.blocks.begin(), info.blocks.end(), [](const auto& b) { return b.is_leaf; });
  std::uint32_t deepest = 0;
  for (const BlockInfo& block : info.blocks) deepest = std::max(deepest, block.level);
  facts.add("segmenter", "cut by", version.segmenter,
            version.level == 0 ? version.segmenter : fmt::format("{}, level {}", version.segmenter, version.level));
  facts.document()["level"] = version.level;
  facts.add("block_count", "blocks", leaves,
            fmt::format("{} on {}", group_digits(static_cast<std::uint64_t>(leaves)),
                        counted(deepest + std::uint64_t{1}, "level", "levels")));
  facts.id("layout", version.layout.hash);
  facts.document().update({{"layout_bytes", info.layout_bytes}, {"slots", info.slots}});
  facts.add("layout_bytes", "", info.layout_bytes,
            fmt::format("{} outside blocks, {}", counted(info.layout_bytes, "byte", "bytes"),
                        counted(info.slots, "slot", "slots")),
            Style::dim);
  facts.id("tree", version.tree.hash);
}

Result<void> add_neighbours(Facts& facts, const Snapshot& snapshot, const CaptureInfo& capture) {
  BA_ASSIGN(const auto previous, snapshot.previous_capture(capture.number, capture.time));
  BA_ASSIGN(const auto next, snapshot.next_capture(capture.number, capture.time));
  if (previous) facts.time("previous", previous->time);
  if (next) facts.time("next", next->time);
  return {};
}

Result<void> add_level(Facts& facts, const Snapshot& snapshot, const CaptureInfo* capture) {
  if (capture == nullptr) return Error{ErrorCode::invalid, "--level goes with a URL"};
  BA_ASSIGN(const auto level, find_level(snapshot, capture->url));
  if (!level) {
    facts.add("learnt_level", "learnt", nullptr, "nothing yet; 'blockarch levels --learn' does");
    return {};
  }
  facts.add("learnt_level", "learnt", level_json(*level), cut_text(level->choice));
  for (const std::string& line : explain_level(*level)) facts.remark(line);
  return {};
}

Result<void> add_object(Facts& facts, const ObjectSource& objects, const ObjectId& id) {
  switch (id.kind) {
    case ObjectKind::list: {
      BA_ASSIGN(const BlockList list, load_block_list(objects, ListId{id.hash}));
      facts.size("block_size", "block", list.size());
      facts.add("chunks", "chunks", list.chunks.size(), group_digits(list.chunks.size()));
      return {};
    }
    case ObjectKind::layout: {
      BA_ASSIGN(const Layout layout, load_layout(objects, LayoutId{id.hash}));
      facts.add("slots", "slots", layout.slots(), group_digits(layout.slots()));
      return {};
    }
    case ObjectKind::tree: {
      BA_ASSIGN(const BlockTree tree, load_block_tree(objects, TreeId{id.hash}));
      const auto leaves =
          std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const auto& n) { return n.is_leaf(); });
      facts.add("nodes", "nodes", tree.nodes.size(), group_digits(tree.nodes.size()));
      facts.add("block_count", "blocks", leaves, group_digits(static_cast<std::uint64_t>(leaves)));
      return {};
    }
    case ObjectKind::metadata: {
      BA_ASSIGN(const Metadata metadata, load_metadata(objects, MetadataId{id.hash}));
      facts.metadata(metadata);
      return {};
    }
    case ObjectKind::block:
    case ObjectKind::version:
      return {};
  }
  return {};
}

class ShowCommand : public Command {
 public:
  ShowCommand() : Command("show", "show the facts about a capture, version or other object") {
    synopsis("show NAME [--blocks] [--level]");
    describe(
        "Tells when a capture was made and what it showed: version, size, type, hash, how it was cut, its "
        "neighbours in "
        "time. --blocks lists the blocks of the page as they are nested, with their place, size, id and "
        "beginning.");
    operand("NAME", &name_, "URL, URL@DATE, URL~N, or the beginning of an object's id").required = true;
    flag("-b,--blocks", blocks_, "the tree of blocks");
    flag("-l,--level", level_, "how new captures of the URL are best cut, as far as 'levels --learn' knows, and why");
    example("show https://example.com/@2024-05-01", "a capture");
    example("show https://example.com/ --blocks", "what the page is made of");
  }

  Result<ExitCode> run(Session& session) override {
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(const Named named, resolve_name(snapshot, name_, session.now));
    Facts facts(session.out, session.options.json);
    const auto* capture = std::get_if<CaptureInfo>(&named);
    const ObjectId id = capture != nullptr ? ObjectId(capture->version) : *std::get_if<ObjectId>(&named);
    if (capture != nullptr) {
      facts.add("url", "URL", capture->url, capture->url, Style::bold);
      facts.time("time", capture->time);
    }
    if (id.kind == ObjectKind::version) return show_version(session, snapshot, facts, VersionId{id.hash}, capture);
    if (blocks_) return Error{ErrorCode::invalid, fmt::format("--blocks goes with a page, and {} is none", id.text())};
    if (level_) return Error{ErrorCode::invalid, "--level goes with a URL"};
    BA_ASSIGN(const Bytes content, load(snapshot.objects(), id));
    facts.add("kind", "kind", std::string(kind_name(id.kind)), std::string(kind_name(id.kind)), Style::bold);
    facts.id("id", id.hash);
    facts.size("size", "size", content.size());
    BA_TRY(add_object(facts, snapshot.objects(), id));
    facts.print();
    return ExitCode::done;
  }

 private:
  Result<ExitCode> show_version(Session& session, const Snapshot& snapshot, Facts& facts, const VersionId& id,
                                const CaptureInfo* capture) const {
    BA_ASSIGN(const VersionInfo info, snapshot.version_info(id));
    add_version(facts, info);
    if (capture != nullptr) {
      BA_TRY(add_neighbours(facts, snapshot, *capture));
      facts.metadata(capture->metadata);
      BA_ASSIGN(const Metadata of_url, snapshot.url_metadata(capture->number));
      facts.url_metadata(of_url);
    }
    if (level_) BA_TRY(add_level(facts, snapshot, capture));
    if (blocks_ && session.options.json) facts.document()["blocks"] = blocks_json(info);
    facts.print();
    if (blocks_ && !session.options.json) {
      BA_ASSIGN(const Page page, snapshot.page(id));
      session.out.line();
      print_blocks(session.out, info, page.bytes);
    }
    return ExitCode::done;
  }

  std::string name_;
  bool blocks_ = false;
  bool level_ = false;
};

}  // namespace

std::unique_ptr<Command> make_show_command() {
  return std::make_unique<ShowCommand>();
}

}  // namespace blockarch
