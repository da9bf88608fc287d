#include "cli/diff_json.h"

#include <nlohmann/json.hpp>

#include "history/block_text.h"
#include "history/page_edits.h"

namespace blockarch {
namespace {

constexpr std::size_t kMaxText = 4 << 20;  // longer texts are in the edits alone

Json block_json(const PageBlock& block) {
  Json json = {{"begin", block.begin}, {"end", block.end}, {"id", block.id.hash.hex()}};
  if (!block.path.empty()) json["path"] = block.path;
  return json;
}

Json words_json(const std::string& before, const std::string& after) {
  Json list = Json::array();
  WorkLimit limit;
  for (const WordRun& run : compare_words(before, after, limit)) {
    const char* const key = run.kind == WordRun::Kind::same   ? "same"
                            : run.kind == WordRun::Kind::gone ? "gone"
                                                              : "come";
    list.push_back({{key, std::string(run.text)}});
  }
  return list;
}

std::string key_of(ChangeKind kind) {
  return kind == ChangeKind::moved_changed ? "moved_changed" : std::string(change_name(kind));
}

Json change_json(VersionDiff& diff, const BlockChange& change) {
  const PageDiff& pages = diff.pages();
  Json json = {{"change", key_of(change.kind)}};
  const Surrounding around = diff.around(change);
  json["label"] = std::string(label_name(around.label));
  json["topic"] = around.topic;
  if (change.before != kNoBlock) json["before"] = block_json(pages.before.blocks[change.before]);
  if (change.after != kNoBlock) json["after"] = block_json(pages.after.blocks[change.after]);
  const bool both = change.kind == ChangeKind::changed || change.kind == ChangeKind::moved_changed;
  if (both) json.update({{"text_changed", change.text}, {"links_changed", change.links}});
  if (pages.bytes_before(change).size() + pages.bytes_after(change).size() > kMaxText) {
    json["long"] = true;
  } else if (both && change.text) {
    json["words"] = words_json(pages.text_before(change), pages.text_after(change));
  } else if (!both) {
    json["text"] = change.after == kNoBlock ? pages.text_before(change) : pages.text_after(change);
  }
  return json;
}

Json edits_json(const PageDiff& pages) {
  Json list = Json::array();
  for (const PageEdit& edit : page_edits(pages)) {
    Json json = Json::object();
    if (edit.copy) {
      json["copy"] = {edit.begin, edit.end};
    } else {
      put_content(json, pages.new_page.substr(edit.begin, edit.end - edit.begin));
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

Json side_json(const DiffSide& side) {
  Json json = Json::object();
  if (!side.url.empty()) json["url"] = side.url;
  if (side.time) json["time"] = format_rfc3339(*side.time);
  json.update({{"version", side.id.hash.hex()},
               {"payload_hash", side.version.payload_hash.hex()},
               {"size", side.bytes.size()},
               {"type", side.version.media_type}});
  if (!side.version.charset.empty()) json["charset"] = side.version.charset;
  return json;
}

Json counts_json(const ChangeCounts& counts) {
  return {{"same", counts.same},    {"changed", counts.changed},
          {"moved", counts.moved},  {"moved_changed", counts.moved_changed},
          {"added", counts.added},  {"removed", counts.removed},
          {"layout", counts.layout}};
}

Json diff_json(VersionDiff& diff) {
  const PageDiff& pages = diff.pages();
  Json blocks = Json::array();
  for (const BlockChange& change : pages.blocks) {
    if (change.kind != ChangeKind::same) blocks.push_back(change_json(diff, change));
  }
  Json layout = Json::array();
  for (const LayoutChange& change : pages.layout) {
    layout.push_back({{"before_at", change.before_at},
                      {"after_at", change.after_at},
                      {"before", change.before},
                      {"after", change.after}});
  }
  return {{"before", side_json(diff.before())},
          {"after", side_json(diff.after())},
          {"counts", counts_json(pages.counts())},
          {"complete", pages.whole},
          {"blocks", std::move(blocks)},
          {"layout", std::move(layout)},
          {"edits", edits_json(pages)}};
}

}  // namespace blockarch
