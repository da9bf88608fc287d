// blockarch blame: since when each block of a page stands there.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/show_blocks.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "engine/names.h"
#include "history/word_blame.h"

namespace blockarch {
namespace {

void put_stay(Json& json, const Stay& stay) {
  json["since"] = format_rfc3339(stay.since);
  json["version"] = stay.came_in.hash.hex();
  json["until"] = format_rfc3339(stay.until);
  json["stands"] = !stay.ended;
  if (stay.gone) json["gone"] = format_rfc3339(*stay.gone);
}

Json block_json(const BlamedBlock& block, bool elsewhere) {
  Json json = {{"begin", block.begin},
               {"end", block.end},
               {"kind", std::string(kind_name(block.content.kind))},
               {"id", block.content.hash.hex()},
               {"label", std::string(label_name(block.label))}};
  put_stay(json, block.stay);
  json["first"] = format_rfc3339(block.first);
  json["changes"] = block.changes;
  json["place_since"] = format_rfc3339(block.place_since);
  if (elsewhere) json.update({{"elsewhere", block.elsewhere}, {"elsewhere_count", block.elsewhere_count}});
  return json;
}

Json words_json(const std::vector<WordRun>& runs) {
  Json json = Json::array();
  for (const WordRun& run : runs) {
    Json one = {{"text", run.text}, {"since", format_rfc3339(run.since)}, {"version", run.version.hash.hex()}};
    if (run.or_earlier) one["or_earlier"] = true;
    json.push_back(std::move(one));
  }
  return json;
}

class BlameCommand : public Command {
 public:
  BlameCommand() : Command("blame", "show since when each block of a page stands there") {
    synopsis("blame URL [--at T] [--words] [--elsewhere]");
    describe(
        "For each stored block of a page: since when it stands there without a break, in which version it came, until "
        "when "
        "it stood, and how often its place changed before. A block that went and came back says when it was first "
        "seen.\n\n"
        "The block of a place before it changed is the one between the same neighbours. --elsewhere looks at what "
        "every "
        "other URL of the archive showed at that time, which takes as long as there are URLs; 'find-block' looks at "
        "all "
        "times.");
    operand("URL", &url_, "which page; URL@DATE and URL~N too").required = true;
    option("--at", "T", &at_, "the page as of T instead of the newest one");
    flag("-w,--words", words_, "for each run of words of the text instead");
    flag("--elsewhere", options_.elsewhere, "name other URLs that show the same block");
    example("blame https://example.com/terms", "how old each part of the page is");
    example("blame https://example.com/terms --words", "which sentences are new");
    example("blame https://example.com/terms --at 2024-05-01", "as it was then, and until when it stayed");
  }

  Result<ExitCode> run(Session& session) override {
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(const CaptureInfo capture, find_capture(session, snapshot));
    BA_ASSIGN(const WordBlame result, find(session, snapshot, capture));
    const Version& version = result.blame.version;
    if (words_ && version.charset.empty() && !session.options.json) {
      return Error{ErrorCode::invalid,
                   fmt::format("{} is {}, which has no words; without --words blame tells of blocks", capture.url,
                               version.media_type)};
    }
    if (session.options.json) {
      print_json(session.out, result);
    } else {
      BA_ASSIGN(const Page page, snapshot.page(capture));
      words_ ? print_words(session.out, result) : print_table(session.out, result.blame, page.bytes);
    }
    if (result.blame.damaged == 0) return ExitCode::done;
    print_warning(counted(result.blame.damaged, "version", "versions") +
                  " cannot be read and were passed over; 'blockarch fsck' says why");
    return ExitCode::damaged;
  }

 private:
  Result<CaptureInfo> find_capture(const Session& session, const Snapshot& snapshot) const {
    BA_ASSIGN(const Named named, resolve_name(snapshot, url_, session.now));
    const auto* capture = std::get_if<CaptureInfo>(&named);
    if (capture == nullptr)
      return Error{ErrorCode::invalid, fmt::format("blame takes a URL, and '{}' is an object's id", url_)};
    if (!at_) return *capture;
    BA_ASSIGN(const Time at, resolve_time(snapshot, *at_, DateEnd::last, session.now));
    return snapshot.capture_at(capture->number, at);
  }

  Result<WordBlame> find(const Session& session, const Snapshot& snapshot, const CaptureInfo& capture) {
    Progress progress(session.options.no_color);
    options_.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update("versions", done, total); };
    if (words_) return blame_words(snapshot, capture, options_);
    WordBlame result;
    BA_ASSIGN(result.blame, blame(snapshot, capture, options_));
    return result;
  }

  void print_json(Output& out, const WordBlame& both) const {
    const Blame& result = both.blame;
    Json json = {{"url", result.capture.url},
                 {"time", format_rfc3339(result.capture.time)},
                 {"page", result.capture.version.hash.hex()},
                 {"versions", result.versions}};
    Json layout = {{"id", result.version.layout.hash.hex()}};
    put_stay(layout, result.layout);
    layout["changes"] = result.layout_changes;
    json["layout"] = std::move(layout);
    json["blocks"] = Json::array();
    for (std::size_t i = 0; i < result.blocks.size(); ++i) {
      Json block = block_json(result.blocks[i], options_.elsewhere);
      if (words_) block["words"] = words_json(both.words[i]);
      json["blocks"].push_back(std::move(block));
    }
    write_json_document(out, json);
  }

  static void print_words(Output& out, const WordBlame& result) {
    TextTable table(out, {{.title = "SINCE"}, {.title = "VERSION"}, {.title = "TEXT", .cut = Column::Cut::end}});
    for (const std::vector<WordRun>& runs : result.words) {
      for (const WordRun& run : runs) {
        table.row({{(run.or_earlier ? "before " : "") + table.time(run.since)},
                   {short_id(run.version.hash), Style::dim},
                   {run.text}});
      }
    }
    table.finish();
  }

  void print_table(Output& out, const Blame& result, ByteView page) const {
    TextTable table(out, {{.title = "SINCE"},
                          {.title = "VERSION"},
                          {.title = "UNTIL"},
                          {.title = "CHANGES", .align = Column::Align::right},
                          {.title = "BLOCK"},
                          {.title = "LABEL"},
                          {.title = "CONTENT", .cut = Column::Cut::end}});
    print_row(table, result.layout, result.layout_changes, {"layout", Style::dim}, {}, {});
    const bool is_text = !result.version.charset.empty();
    for (const BlamedBlock& block : result.blocks) {
      const ByteView bytes = page.substr(block.begin, block.end - block.begin);
      print_row(table, block.stay, block.changes, {short_id(block.content.hash), Style::cyan},
                {block.label == BlockLabel::none ? "" : std::string(label_name(block.label)), Style::dim},
                {is_text ? block_preview(bytes, result.version.charset) : counted(bytes.size(), "byte", "bytes")});
      if (block.first < block.stay.since)
        table.remark(fmt::format("came back; first seen {}", format_rfc3339(block.first)));
      for (const std::string& url : block.elsewhere) table.remark("also at " + url);
      if (block.elsewhere_count > block.elsewhere.size())
        table.remark(
            fmt::format("and at {} more", counted(block.elsewhere_count - block.elsewhere.size(), "URL", "URLs")));
    }
    table.finish();
  }

  static void print_row(TextTable& table, const Stay& stay, std::uint64_t changes, Cell name, Cell label,
                        Cell content) {
    table.row({{table.time(stay.since)},
               {short_id(stay.came_in.hash), Style::dim},
               stay.ended ? Cell{table.time(stay.until), Style::yellow} : Cell{"stands", Style::dim},
               {group_digits(changes)},
               std::move(name),
               std::move(label),
               std::move(content)});
  }

  std::string url_;
  std::optional<std::string> at_;
  bool words_ = false;
  BlameOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_blame_command() {
  return std::make_unique<BlameCommand>();
}

}  // namespace blockarch
