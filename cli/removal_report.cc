#include "cli/removal_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/text.h"
#include "cli/text_table.h"

namespace blockarch {

void print_removal(Session& session, const RemovalReport& report, bool dry_run) {
  if (session.options.json) {
    Json urls = Json::array();
    for (const RemovalReport::Url& url : report.urls) {
      urls.push_back(
          {{"url", url.url}, {"captures", url.captures}, {"removed", url.removed}, {"versions", url.versions}});
    }
    write_json_document(session.out, Json{{"dry_run", dry_run},
                                          {"captures", report.captures},
                                          {"removed", report.removed},
                                          {"urls", std::move(urls)}});
    return;
  }
  if (report.removed == 0) {
    session.out.line("nothing to remove");
    return;
  }
  TextTable table(session.out, {{.title = "URL", .cut = Column::Cut::middle},
                                {.title = "CAPTURES", .align = Column::Align::right},
                                {.title = dry_run ? "WOULD GO" : "REMOVED", .align = Column::Align::right},
                                {.title = "VERSIONS", .align = Column::Align::right}});
  for (const RemovalReport::Url& url : report.urls) {
    table.row({{printable(url.url)},
               {group_digits(url.captures)},
               {group_digits(url.removed)},
               {group_digits(url.versions)}});
  }
  table.finish();
  session.out.line(
      fmt::format("{} of {}{}", group_digits(report.removed), counted(report.captures, "capture", "captures"),
                  dry_run ? " would go; nothing was changed"
                          : " removed; gc frees their space after its grace, forget --undo puts them back"));
}

}  // namespace blockarch
