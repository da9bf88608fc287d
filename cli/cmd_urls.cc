// blockarch urls: what is in the archive.
#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/rules.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "cli/url_filter.h"
#include "engine/snapshot.h"

namespace blockarch {
namespace {

class UrlsCommand : public Command {
 public:
  UrlsCommand() : Command("urls", "list the URLs in the archive") {
    synopsis("urls [PATTERN] [--host HOST [--subdomains]] [--where KEY=PATTERN]...");
    describe(
        "Lists URLs with the number of captures and the time of the first and the last one; the pages of a "
        "site stand "
        "together. PATTERN is a part of the URL, or, where it has a '*', the whole of it with '*' for "
        "anything and '?' "
        "for one character.");
    operand("PATTERN", &pattern_, "which URLs; all of them without it");
    option("--host", "HOST", &filter_.host, "only this host, for example example.com");
    flag("--subdomains", filter_.subdomains, "with --host: its subdomains too");
    option("--where", "KEY=PATTERN", &where_,
           "only where metadata of the URL or of its last capture matches; may be given more than once");
    example("urls --host example.com --subdomains", "a whole site");
    example("urls privacy", "every URL with this word in it");
    example("urls 'https://*.org/*'", "by a pattern");
    example("urls --where 'owner=Press*' --where status=200", "by metadata");
  }

  Result<ExitCode> run(Session& session) override {
    BA_TRY(settle_host(filter_));
    BA_ASSIGN(filter_.where, parse_where(where_));
    filter_.pattern = pattern_.empty() || pattern_.find('*') != std::string::npos ? pattern_ : "*" + pattern_ + "*";
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    std::uint64_t count = 0;
    TextTable table(session.out, {{.title = "URL", .cut = Column::Cut::middle},
                                  {.title = "CAPTURES", .align = Column::Align::right},
                                  {.title = "FIRST"},
                                  {.title = "LAST"}});
    BA_TRY(snapshot.urls(filter_, [&](const UrlSummary& url) {
      ++count;
      print(session, table, url);
      return session.out.ok();
    }));
    table.finish();
    if (count == 0)
      print_note(pattern_.empty() && filter_.host.empty() && where_.empty() ? "the archive is empty"
                                                                            : "no URL matches");
    return ExitCode::done;
  }

 private:
  static void print(Session& session, TextTable& table, const UrlSummary& url) {
    if (session.options.json) {
      Json json = {{"url", url.url},
                   {"captures", url.captures},
                   {"first", format_rfc3339(url.first)},
                   {"last", format_rfc3339(url.last)}};
      if (!url.metadata.empty()) json["url_metadata"] = metadata_json(url.metadata);
      return write_json_line(session.out, json);
    }
    table.row({{url.url},
               {group_digits(url.captures)},
               {table.time(url.first), Style::dim},
               {table.time(url.last), Style::dim}});
  }

  std::string pattern_;
  UrlFilter filter_;
  std::vector<std::string> where_;
};

}  // namespace

std::unique_ptr<Command> make_urls_command() {
  return std::make_unique<UrlsCommand>();
}

}  // namespace blockarch
