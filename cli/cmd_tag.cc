// blockarch tag: names for moments of the whole archive.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "engine/names.h"
#include "engine/writer.h"

namespace blockarch {
namespace {

Json tag_json(const Tag& tag) {
  return {{"name", tag.name},
          {"instant", format_rfc3339(tag.instant)},
          {"created", format_rfc3339(tag.created)},
          {"message", tag.message}};
}

class TagCommand : public Command {
 public:
  TagCommand() : Command("tag", "name a moment of the whole archive, or list such names") {
    synopsis("tag");
    synopsis("tag NAME [--at T] [-m TEXT] [--force]");
    synopsis("tag -d NAME");
    describe(
        "Without NAME, lists the tags. With it, names a moment: wherever a date can stand, the tag's name "
        "can stand "
        "too, for example in URL@NAME or --at NAME. A tag keeps nothing and costs nothing.");
    operand("NAME", &name_, "the tag: letters, digits and . _ - /; not all digits");
    option("--at", "T", &at_, "the moment (now); a bare date means its end");
    option("-m,--message", "TEXT", &message_, "what it is for");
    flag("-d,--delete", erase_, "remove the tag");
    flag("-f,--force", force_, "replace a tag of that name");
    example("tag before-election --at 2024-06-08 -m 'last day of the campaign'", "name a day");
    example("checkout https://example.com/@before-election", "use the name");
  }

  Result<ExitCode> run(Session& session) override {
    BA_TRY(check_options());
    BA_ASSIGN(Archive archive, open_archive(session));
    if (name_.empty()) return list(session, archive);
    if (erase_) return erase(session, archive);
    return put(session, archive);
  }

 private:
  Result<void> check_options() const {
    const bool describes = at_ || message_ || force_;
    if (name_.empty() && (describes || erase_)) return Error{ErrorCode::invalid, "tag needs NAME"};
    if (erase_ && describes) return Error{ErrorCode::invalid, "tag -d takes only NAME"};
    return {};
  }

  static Result<ExitCode> list(Session& session, const Archive& archive) {
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(const auto tags, snapshot.tags());
    TextTable table(session.out,
                    {{.title = "TAG"}, {.title = "MOMENT"}, {.title = "MESSAGE", .cut = Column::Cut::end}});
    for (const Tag& tag : tags) {
      if (session.options.json) {
        write_json_line(session.out, tag_json(tag));
      } else {
        table.row({{tag.name, Style::cyan}, {format_rfc3339(tag.instant)}, {tag.message, Style::dim}});
      }
    }
    table.finish();
    if (tags.empty()) print_note("no tags");
    return ExitCode::done;
  }

  Result<ExitCode> erase(Session& session, Archive& archive) const {
    BA_ASSIGN(Writer writer, archive.writer({.wait = session.options.wait()}));
    BA_TRY(writer.erase_tag(name_));
    if (session.options.json) {
      write_json_line(session.out, {{"name", name_}, {"deleted", true}});
    } else {
      session.out.line(fmt::format("deleted tag {}", printable(name_)));
    }
    return ExitCode::done;
  }

  Result<ExitCode> put(Session& session, Archive& archive) const {
    Tag tag{.name = name_, .instant = session.now, .created = session.now, .message = message_.value_or("")};
    if (at_) {
      BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
      BA_ASSIGN(tag.instant, resolve_time(snapshot, *at_, DateEnd::last, session.now));
    }
    BA_ASSIGN(Writer writer, archive.writer({.wait = session.options.wait()}));
    BA_TRY(writer.put_tag(tag, force_));
    if (session.options.json) {
      write_json_line(session.out, tag_json(tag));
    } else {
      session.out.line(fmt::format("{} is {}", printable(tag.name), format_rfc3339(tag.instant)));
    }
    return ExitCode::done;
  }

  std::string name_;
  std::optional<std::string> at_;
  std::optional<std::string> message_;
  bool erase_ = false;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_tag_command() {
  return std::make_unique<TagCommand>();
}

}  // namespace blockarch
