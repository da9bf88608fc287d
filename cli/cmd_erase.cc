// blockarch erase: physical removal, with a tombstone.
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "engine/erase.h"

namespace blockarch {
namespace {

bool is_object_name(const std::string& text) {
  return text.size() >= 4 && text.size() <= 64 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
}

std::string user_name() {
  const passwd* entry = ::getpwuid(::geteuid());
  return entry != nullptr && entry->pw_name != nullptr ? entry->pw_name : fmt::format("user {}", ::geteuid());
}

Json tombstone_json(const Tombstone& tombstone) {
  return {{"time", format_rfc3339(tombstone.when)},
          {"what", tombstone.what},
          {"reason", tombstone.reason},
          {"by", tombstone.by},
          {"captures", tombstone.captures},
          {"versions", tombstone.versions}};
}

class EraseCommand : public Command {
 public:
  EraseCommand() : Command("erase", "remove something for good, as a takedown asks") {
    synopsis("erase URL|ID --reason TEXT [--by NAME] [--dry-run]");
    synopsis("erase --list");
    describe(
        "Removes all captures of a URL, or, by an object's id, every capture that shows the version or whose page "
        "holds "
        "the block, at whatever URL; of metadata the metadata alone. Nothing of it is in any file of the archive "
        "afterwards: the packs concerned and the tables are written anew at once, and there is no undo. A tombstone "
        "with the time, what it was, the reason and who signed it off stays in the archive; --list shows them.\n\n"
        "What an erased page shares with pages that stay (a footer) stays with those. Copies, exports and backups are "
        "yours to deal with.");
    operand("URL|ID", &what_, "a URL, or an object's id of at least four digits");
    option("--reason", "TEXT", &reason_, "why; kept in the tombstone");
    option("--by", "NAME", &by_, "who signs it off (the user that runs it)");
    flag("-n,--dry-run", dry_run_, "tell what would go, change nothing");
    flag("--list", list_, "show the tombstones");
    example("erase https://example.com/x --reason 'court order 12/2026' --by 'A. Archivist'", "a page");
    example("erase 27a28c34dc7b --reason 'personal data' --dry-run", "which captures hold this block");
  }

  Result<ExitCode> run(Session& session) override {
    BA_ASSIGN(Archive archive, open_archive(session));
    if (list_) return show_tombstones(session, archive);
    if (what_.empty()) return Error{ErrorCode::invalid, "erase what? Give a URL or an object's id, or --list"};
    const EraseOptions options{session.now, reason_, by_.empty() ? user_name() : by_, dry_run_, session.options.wait()};
    EraseReport report;
    if (is_object_name(what_)) {
      ObjectId object;
      {
        BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
        BA_ASSIGN(object, snapshot.find_object(what_));
      }
      BA_ASSIGN(report, erase_object_for_good(archive, object, options));
    } else {
      BA_ASSIGN(report, erase_url_for_good(archive, what_, options));
    }
    print(session, report);
    return ExitCode::done;
  }

 private:
  static Result<ExitCode> show_tombstones(Session& session, const Archive& archive) {
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(const auto all, tombstones(snapshot));
    TextTable table(session.out, {{.title = "TIME"},
                                  {.title = "CAPTURES", .align = Column::Align::right},
                                  {.title = "BY"},
                                  {.title = "WHAT"},
                                  {.title = "REASON"}});
    for (const Tombstone& tombstone : all) {
      if (session.options.json) {
        write_json_line(session.out, tombstone_json(tombstone));
      } else {
        // Nobody needs to see more than the second.
        table.row({{format_rfc3339(Time::from_seconds(tombstone.when.micros / 1'000'000))},
                   {group_digits(tombstone.captures)},
                   {printable(tombstone.by)},
                   {printable(tombstone.what)},
                   {printable(tombstone.reason)}});
      }
    }
    if (!session.options.json) {
      table.finish();
      if (all.empty()) print_note("nothing was ever erased");
    }
    return ExitCode::done;
  }

  void print(Session& session, const EraseReport& report) const {
    if (session.options.json) {
      Json captures = Json::array();
      for (const EraseReport::Capture& capture : report.captures) {
        captures.push_back(
            {{"url", capture.url}, {"time", format_rfc3339(capture.time)}, {"version", capture.version.hash.hex()}});
      }
      write_json_document(session.out, Json{{"dry_run", dry_run_},
                                            {"tombstone", tombstone_json(report.tombstone)},
                                            {"captures", std::move(captures)},
                                            {"shared_versions", report.shared_versions},
                                            {"bytes_before", report.bytes_before},
                                            {"bytes_after", report.bytes_after}});
      return;
    }
    TextTable table(session.out, {{.title = "TIME"}, {.title = "VERSION"}, {.title = "URL"}});
    for (const EraseReport::Capture& capture : report.captures) {
      table.row({{format_rfc3339(capture.time)}, {short_id(capture.version.hash)}, {printable(capture.url)}});
    }
    table.finish();
    session.out.line(fmt::format("{} of {} {}", counted(report.tombstone.captures, "capture", "captures"),
                                 report.tombstone.what, dry_run_ ? "would be erased; nothing was changed" : "erased"));
    if (report.shared_versions > 0) {
      session.out.line(fmt::format("{} that other captures show too stay; erase them by id",
                                   counted(report.shared_versions, "version", "versions")));
    }
  }

  std::string what_;
  std::string reason_;
  std::string by_;
  bool dry_run_ = false;
  bool list_ = false;
};

}  // namespace

std::unique_ptr<Command> make_erase_command() {
  return std::make_unique<EraseCommand>();
}

}  // namespace blockarch
