// blockarch add: one capture.
#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/files.h"
#include "cli/json.h"
#include "cli/rules.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/snapshot.h"
#include "engine/writer.h"
#include "history/levels.h"
#include "segment/segmenter.h"

namespace blockarch {
namespace {

struct ChangeWord {
  const char* word;
  Style style;
};

ChangeWord word_for(CaptureChange change) {
  switch (change) {
    case CaptureChange::first:
      return {"first", Style::green};
    case CaptureChange::changed:
      return {"changed", Style::yellow};
    case CaptureChange::unchanged:
      return {"unchanged", Style::dim};
    case CaptureChange::duplicate:
      return {"duplicate", Style::dim};
  }
  return {"changed", Style::plain};
}

class AddCommand : public Command {
 public:
  AddCommand() : Command("add", "store a capture of a page") {
    synopsis(
        "add URL [FILE|-] [--time T] [--type MIME] [--meta KEY=VALUE]... [--rules FILE] [--segmenter NAME] [--level "
        "N] [--profile P] [--learnt-level]");
    describe(
        "Stores the bytes of FILE, or of standard input, as what URL showed at a time. What is stored "
        "already is not "
        "stored again, and an unchanged page costs a few bytes. Older captures may be added at any time: the "
        "history "
        "is ordered by capture time.\n\n"
        "Answers with one line: first, changed, unchanged or duplicate (this very capture was there), the "
        "time, the "
        "version, the size of the page, and what had to be written. Once it answers, the capture is on "
        "disk.");
    operand("URL", &url_, "the page's address, with its scheme").required = true;
    operand("FILE", &file_, "the page's bytes; '-' or nothing: standard input").kind = ValueKind::file;
    option("-t,--time", "T", &time_, "when it was captured (now); the file's own date is not looked at");
    option("--type", "MIME", &type_, "the content type it was served with, for example 'text/html; charset=utf-8'");
    option("-m,--meta", "KEY=VALUE", &metadata_, "a fact about the capture; may be given more than once");
    option("--rules", "FILE", &rules_, "what else to note about it, by rules (docs/metadata-rules.md)").kind =
        ValueKind::file;
    Argument& segmenter = option("--segmenter", "NAME", &segmenter_, "what cuts the page into blocks (auto)");
    segmenter.kind = ValueKind::choice;
    for (const std::string_view name : segmenter_names()) segmenter.choices.emplace_back(name);
    option("--level", "N", &level_, "how deep it is cut; 0 = the segmenter's own choice");
    option("--profile", "P", &profile_, "a variant of the segmenter");
    flag("--learnt-level", learnt_level_, "cut as 'levels --learn' found best for the URL");
    example("add https://example.com/ page.html", "a page that a crawler has saved");
    example("add https://example.com/ page.html --time 2024-05-01T12:30:00Z --meta status=200",
            "an older capture, with a fact about it");
    example("add https://example.com/ --type text/html < page.html", "through a pipe");
  }

  Result<ExitCode> run(Session& session) override {
    BA_ASSIGN(CaptureRequest request, make_request(session));
    std::optional<MetadataRules> rules;
    if (rules_) {
      BA_ASSIGN(rules, read_rules(*rules_));
    }
    BA_ASSIGN(Archive archive, open_archive(session));
    // Read before the lock is taken: a slow pipe must not keep other writers waiting.
    BA_ASSIGN(const Bytes payload, read_input(file_, kMaxPayload));
    request.payload = payload;
    if (rules) {
      MetadataEntries headers;
      if (!type_.empty()) headers.emplace_back("content-type", type_);
      rules->apply(request, &headers);
    }
    if (learnt_level_) {
      BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
      BA_ASSIGN(const LevelBook book, LevelBook::open(snapshot));
      book.apply(request);
    }
    BA_ASSIGN(Writer writer, archive.writer({.wait = session.options.wait()}));
    std::vector<std::string> warnings;
    BA_TRY(writer.add(request, &warnings));
    BA_ASSIGN(const auto outcomes, writer.commit());
    for (const std::string& warning : warnings) print_warning(warning);
    report(session, outcomes.front());
    return ExitCode::done;
  }

 private:
  Result<CaptureRequest> make_request(const Session& session) const {
    CaptureRequest request;
    request.url = url_;
    request.time = session.now;
    if (time_) {
      BA_ASSIGN(request.time, parse_time(*time_, DateEnd::first, session.now));
    }
    request.content_type = type_;
    for (const std::string& pair : metadata_) {
      const std::size_t sign = pair.find('=');
      if (sign == std::string::npos || sign == 0) {
        return Error{ErrorCode::invalid, fmt::format("--meta takes KEY=VALUE, not '{}'", pair)};
      }
      request.metadata.emplace_back(pair.substr(0, sign), pair.substr(sign + 1));
    }
    request.segmenter = segmenter_;
    request.profile = profile_;
    constexpr std::uint64_t kAnyInt = 1'000'000;  // the engine knows the real limit
    request.level = static_cast<int>(std::min(level_.value_or(0), kAnyInt));
    return request;
  }

  void report(Session& session, const CaptureOutcome& outcome) const {
    Output& out = session.out;
    const auto [word, style] = word_for(outcome.change);
    if (session.options.json) {
      return write_json_line(out, {{"url", url_},
                                   {"result", word},
                                   {"time", format_rfc3339(outcome.time)},
                                   {"version", outcome.version.hash.hex()},
                                   {"size", outcome.payload_size},
                                   {"new_objects", outcome.new_objects},
                                   {"new_stored_bytes", outcome.new_stored_bytes},
                                   {"known_page", outcome.known_page}});
    }
    const std::string written = outcome.new_objects > 0
                                    ? fmt::format("{}, {}", counted(outcome.new_objects, "new object", "new objects"),
                                                  human_size(outcome.new_stored_bytes))
                                : outcome.change == CaptureChange::duplicate ? "nothing written"
                                                                             : "no new objects";
    out.line(fmt::format("{}{:{}}  {}  {}  {}  {}", out.styled(word, style), "", 9 - std::strlen(word),
                         format_rfc3339(outcome.time), out.styled(short_id(outcome.version.hash), Style::cyan),
                         human_size(outcome.payload_size), out.styled(written, Style::dim)));
  }

  std::string url_;
  std::string file_ = "-";
  std::optional<std::string> time_;
  std::string type_;
  std::vector<std::string> metadata_;
  std::optional<std::string> rules_;
  std::string segmenter_;
  std::optional<std::uint64_t> level_;
  std::string profile_;
  bool learnt_level_ = false;
};

}  // namespace

std::unique_ptr<Command> make_add_command() {
  return std::make_unique<AddCommand>();
}

}  // namespace blockarch
