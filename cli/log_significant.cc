#include "cli/log_significant.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "history/significant_log.h"

namespace blockarch {
namespace {

Json entry_json(const std::string& url, const std::string& rules, const SignificantEntry& found) {
  const LogEntry& entry = found.entry;
  Json json = {{"url", url},
               {"time", format_rfc3339(entry.time)},
               {"version", entry.version.hash.hex()},
               {"significant", found.significant},
               {"size", entry.size},
               {"type", entry.media_type},
               {"repeats", entry.repeats},
               {"noise", found.noise},
               {"last_seen", format_rfc3339(entry.last_seen)},
               {"rules", rules},
               {"metadata", metadata_json(entry.metadata)}};
  if (found.returned_to) {
    json["returned_to"] = {{"time", format_rfc3339(found.returned_to->time)},
                           {"version", found.returned_to->version.hash.hex()}};
  }
  if (entry.damaged) json["damaged"] = true;
  return json;
}

std::string note_for(const SignificantEntry& found) {
  if (found.entry.damaged) return "damaged";
  if (!found.significant) return "only noise";
  if (!found.returned_to) return {};
  return fmt::format("returned to {} of {}", short_id(found.returned_to->version.hash),
                     format_rfc3339(found.returned_to->time));
}

}  // namespace

Result<ExitCode> print_significant_log(Session& session, const Snapshot& snapshot, const CaptureInfo& last,
                                       const LogOptions& options, const SignificanceFlags& flags, bool oneline) {
  BA_ASSIGN(const ChosenSignificance chosen, ChosenSignificance::make(flags));
  SignificantLogOptions how{options, options.unchanged, &chosen.rules(), chosen.options()};
  TextTable table(session.out, {{.title = "TIME"},
                                {.title = "VERSION"},
                                {.title = "SIZE", .align = Column::Align::right},
                                {.title = "NOISE", .align = Column::Align::right},
                                {.title = "SAME UNTIL"},
                                {.title = ""}});
  std::uint64_t count = 0;
  std::uint64_t damaged = 0;
  BA_TRY(significant_log(snapshot, last, how, [&](const SignificantEntry& found) {
    const LogEntry& entry = found.entry;
    ++count;
    if (entry.damaged) ++damaged;
    const Style style = found.significant ? Style::plain : Style::dim;
    const std::string note = note_for(found);
    if (session.options.json) {
      write_json_line(session.out, entry_json(last.url, chosen.rules().name(), found));
    } else if (oneline) {
      session.out.line(fmt::format("{} {} {} {}{}", format_rfc3339(entry.time),
                                   session.out.styled(short_id(entry.version.hash), Style::cyan), entry.size,
                                   printable(entry.media_type), note.empty() ? "" : " " + note));
    } else {
      table.row({{format_rfc3339(entry.time), style},
                 {short_id(entry.version.hash), found.significant ? Style::cyan : Style::dim},
                 {human_size(entry.size), style},
                 {found.noise == 0 ? "" : group_digits(found.noise), Style::dim},
                 {entry.repeats == 0 ? "" : table.time(entry.last_seen), Style::dim},
                 {note, entry.damaged ? Style::red : Style::yellow}});
    }
    return session.out.ok();
  }));
  table.finish();
  if (count == 0) print_note("no capture in that time");
  if (damaged == 0) return ExitCode::done;
  print_warning(counted(damaged, "entry", "entries") + " cannot be read whole; 'blockarch fsck' says why");
  return ExitCode::damaged;
}

}  // namespace blockarch
