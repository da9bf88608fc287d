// blockarch rates: how often pages change, and which are due to be collected again.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/duration.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/show_blocks.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "cli/url_filter.h"
#include "engine/names.h"
#include "history/rates.h"

namespace blockarch {
namespace {

constexpr double kDay = 86400;

double every(double rate) {
  return rate > 0 ? 1 / rate : std::numeric_limits<double>::infinity();
}

// Six digits: more say nothing, and differ from machine to machine.
double rounded(double number) {
  if (number == 0 || !std::isfinite(number)) return number;
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(number))));
  return std::round(number * scale) / scale;
}

void put_rate(Json& json, const RateEstimate& rate) {
  json.update({{"visits", rate.visits},
               {"changes", rate.changes},
               {"span_days", rounded(rate.span / kDay)},
               {"changes_a_day", rounded(rate.rate * kDay)},
               {"low", rounded(rate.low * kDay)},
               {"high", rate.high ? Json(rounded(*rate.high * kDay)) : Json(nullptr)},
               {"naive", rounded(rate.naive * kDay)}});
}

// "3.2 d" between changes, and the interval of confidence in the same terms.
std::vector<Cell> rate_cells(const RateEstimate& rate) {
  std::vector<Cell> cells = {{group_digits(rate.visits)}, {group_digits(rate.changes)}};
  if (rate.visits == 0) {
    cells.push_back({"unknown", Style::dim});
    cells.push_back({});
    return cells;
  }
  cells.push_back({human_duration(every(rate.rate))});
  cells.push_back(
      {fmt::format("{} to {}", rate.high ? human_duration(every(*rate.high)) : "0", human_duration(every(rate.low))),
       Style::dim});
  return cells;
}

const std::vector<Column> kRateColumns = {{.title = "VISITS", .align = Column::Align::right},
                                          {.title = "CHANGED", .align = Column::Align::right},
                                          {.title = "EVERY", .align = Column::Align::right},
                                          {.title = "95 %"}};

class RatesCommand : public Command {
 public:
  RatesCommand() : Command("rates", "estimate how often pages change, and what to collect now") {
    synopsis("rates [PATTERN] [--host HOST [--subdomains]] [--since T] [--until T]");
    synopsis("rates --due [PATTERN] [--now T] [-n N]");
    synopsis("rates --blocks URL");
    describe(
        "Estimates from the captures of each URL how often it changes. A capture shows only whether there was a change "
        "since the one before, not how many, so the number of changed captures says too little where captures are "
        "rare; "
        "the estimate corrects for that, at irregular intervals too (docs/history.md). EVERY is the mean time between "
        "two "
        "changes, beside it the interval that holds it with 95 % confidence; where every capture differs from the one "
        "before, changes may be any more frequent. REVISIT is when a change has come with the chance --chance.\n\n"
        "--due prints the URLs whose time to be collected again has come, one a line, for a crawler; with -n those "
        "that "
        "have most likely changed, the likeliest first. --blocks tells the rate of each block of a page.");
    operand("PATTERN", &pattern_, "which URLs, as in 'urls'; with --blocks a URL");
    flag("--due", due_, "only what should be collected again now, as a list of URLs");
    flag("-b,--blocks", blocks_, "the blocks of one page");
    option("--now", "T", &now_, "with --due: T instead of the present");
    option("--since", "T", &since_, "only captures at T or later");
    option("--until", "T", &until_, "only captures at T or earlier");
    option("--chance", "P", &policy_.chance, "how likely a change shall be at a revisit, between 0 and 1 (0.5)");
    option("--least", "TIME", &least_, "the shortest interval to suggest, as in 15m, 6h, 7d (1h)");
    option("--most", "TIME", &most_, "the longest interval to suggest (1y)");
    option("--host", "HOST", &filter_.host, "only this host, for example example.com");
    flag("--subdomains", filter_.subdomains, "with --host: its subdomains too");
    option("-n,--limit", "N", &limit_, "at most N lines");
    example("rates --host example.com", "the pages of a site");
    example("rates --due | wget -i - --warc-file=today", "collect what is due");
    example("rates --blocks https://example.com/", "which parts of a page move");
  }

  Result<ExitCode> run(Session& session) override {
    BA_TRY(check_options());
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    present_ = session.now;
    if (now_) {
      BA_ASSIGN(present_, resolve_time(snapshot, *now_, DateEnd::last, session.now));
    }
    if (since_) {
      BA_ASSIGN(span_.since, resolve_time(snapshot, *since_, DateEnd::first, session.now));
    }
    if (until_) {
      BA_ASSIGN(span_.until, resolve_time(snapshot, *until_, DateEnd::last, session.now));
    }
    if (blocks_) return print_blocks_of(session, snapshot);
    return due_ ? print_due(session, snapshot) : print_urls(session, snapshot);
  }

 private:
  Result<void> check_options() {
    if (!(policy_.chance > 0 && policy_.chance < 1))
      return Error{ErrorCode::invalid, "--chance takes a number between 0 and 1"};
    if (least_) {
      BA_ASSIGN(policy_.least, parse_duration(*least_));
    }
    if (most_) {
      BA_ASSIGN(policy_.most, parse_duration(*most_));
    }
    if (policy_.least > policy_.most) return Error{ErrorCode::invalid, "--least is longer than --most"};
    if (limit_ && *limit_ == 0) return Error{ErrorCode::invalid, "-n takes a number from 1"};
    if (now_ && !due_) return Error{ErrorCode::invalid, "--now goes with --due"};
    if (blocks_ && due_) return Error{ErrorCode::invalid, "--blocks and --due do not go together"};
    if (blocks_ && (pattern_.empty() || since_ || until_ || !filter_.host.empty()))
      return Error{ErrorCode::invalid, "--blocks takes a URL and no other choice"};
    if (!blocks_ && !pattern_.empty()) {
      filter_.pattern = pattern_.find('*') != std::string::npos ? pattern_ : "*" + pattern_ + "*";
    }
    return settle_host(filter_);
  }

  struct Rated {
    std::string url;
    UrlRate rate;
    double revisit = 0;  // seconds
    Time due;
    double chance = 0;  // that it has changed by now
  };

  // Each URL with its rate; false from the callback stops.
  Result<void> each_rate(Session& session, const Snapshot& snapshot, const std::function<bool(Rated)>& each) const {
    Progress progress(session.options.no_color);
    std::uint64_t done = 0;
    Result<void> result;
    BA_TRY(snapshot.urls(filter_, [&](const UrlSummary& url) {
      progress.update("URLs", ++done, 0);
      const auto rate = rate_of(snapshot, url.number, span_);
      if (!rate) {
        result = rate.error();
        return false;
      }
      Rated rated{url.url, *rate, std::round(revisit_interval(rate->estimate, policy_)), {}, 0};
      rated.due = Time{url.last.micros + static_cast<std::int64_t>(rated.revisit * 1e6)};
      const double elapsed = static_cast<double>(present_.micros - url.last.micros) / 1e6;
      rated.chance = chance_of_change(rate->estimate, elapsed);
      return each(std::move(rated)) && session.out.ok();
    }));
    return result;
  }

  static Json rated_json(const Rated& rated) {
    Json json = {{"url", rated.url}};
    put_rate(json, rated.rate.estimate);
    json.update({{"last", format_rfc3339(rated.rate.last)},
                 {"revisit_seconds", rated.revisit},
                 {"due", format_rfc3339(rated.due)}});
    return json;
  }

  Result<ExitCode> print_urls(Session& session, const Snapshot& snapshot) const {
    std::vector<Column> columns = {{.title = "URL", .cut = Column::Cut::middle}};
    columns.insert(columns.end(), kRateColumns.begin(), kRateColumns.end());
    columns.push_back({.title = "REVISIT", .align = Column::Align::right});
    TextTable table(session.out, columns);
    std::uint64_t count = 0;
    BA_TRY(each_rate(session, snapshot, [&](const Rated& rated) {
      ++count;
      if (session.options.json) {
        write_json_line(session.out, rated_json(rated));
      } else {
        std::vector<Cell> cells = rate_cells(rated.rate.estimate);
        cells.insert(cells.begin(), {rated.url});
        cells.push_back({human_duration(rated.revisit)});
        table.row(std::move(cells));
      }
      return !limit_ || count < *limit_;
    }));
    table.finish();
    if (count == 0) print_note("no URL matches");
    return ExitCode::done;
  }

  static void print_due_line(Session& session, const Rated& rated) {
    if (!session.options.json) return session.out.line(rated.url);
    Json json = rated_json(rated);
    json["chance"] = rounded(rated.chance);
    write_json_line(session.out, json);
  }

  Result<ExitCode> print_due(Session& session, const Snapshot& snapshot) const {
    const auto likelier = [](const Rated& a, const Rated& b) { return a.chance > b.chance; };
    std::vector<Rated> likeliest;  // a heap with the least likely at the front
    BA_TRY(each_rate(session, snapshot, [&](Rated rated) {
      if (rated.due > present_) return true;
      if (!limit_) {
        print_due_line(session, rated);
        return true;
      }
      likeliest.push_back(std::move(rated));
      std::push_heap(likeliest.begin(), likeliest.end(), likelier);
      if (likeliest.size() > *limit_) {
        std::pop_heap(likeliest.begin(), likeliest.end(), likelier);
        likeliest.pop_back();
      }
      return true;
    }));
    std::sort(likeliest.begin(), likeliest.end(), likelier);
    for (const Rated& rated : likeliest) print_due_line(session, rated);
    return ExitCode::done;
  }

  Result<ExitCode> print_blocks_of(Session& session, const Snapshot& snapshot) const {
    BA_ASSIGN(const Named named, resolve_name(snapshot, pattern_, session.now));
    const auto* capture = std::get_if<CaptureInfo>(&named);
    if (capture == nullptr)
      return Error{ErrorCode::invalid, fmt::format("--blocks takes a URL, and '{}' is an object's id", pattern_)};
    BA_ASSIGN(const BlockRates rates, block_rates(snapshot, *capture));
    BA_ASSIGN(const Page page, snapshot.page(*capture));
    std::vector<Column> columns = {{.title = "BLOCK"}, {.title = "LABEL"}};
    columns.insert(columns.end(), kRateColumns.begin(), kRateColumns.end());
    columns.push_back({.title = "CONTENT", .cut = Column::Cut::end});
    TextTable table(session.out, columns);
    const std::size_t count = std::min<std::size_t>(rates.rates.size(), limit_.value_or(rates.rates.size()));
    for (std::size_t i = 0; i < count; ++i) {
      const BlamedBlock& block = rates.page.blocks[i];
      if (session.options.json) {
        Json json = {{"begin", block.begin}, {"end", block.end}, {"id", block.content.hash.hex()}};
        json["label"] = std::string(label_name(block.label));
        put_rate(json, rates.rates[i]);
        write_json_line(session.out, json);
        continue;
      }
      std::vector<Cell> cells = {
          {short_id(block.content.hash), Style::cyan},
          {block.label == BlockLabel::none ? "" : std::string(label_name(block.label)), Style::dim}};
      for (Cell& cell : rate_cells(rates.rates[i])) cells.push_back(std::move(cell));
      const ByteView bytes = ByteView(page.bytes).substr(block.begin, block.end - block.begin);
      if (!page.version.charset.empty()) cells.push_back({block_preview(bytes, page.version.charset), Style::dim});
      table.row(std::move(cells));
    }
    table.finish();
    return rates.page.damaged == 0 ? ExitCode::done : ExitCode::damaged;
  }

  std::string pattern_;
  bool due_ = false;
  bool blocks_ = false;
  std::optional<std::string> now_;
  std::optional<std::string> since_;
  std::optional<std::string> until_;
  std::optional<std::string> least_;
  std::optional<std::string> most_;
  std::optional<std::uint64_t> limit_;
  RevisitPolicy policy_;
  UrlFilter filter_;
  RateSpan span_;
  Time present_;
};

}  // namespace

std::unique_ptr<Command> make_rates_command() {
  return std::make_unique<RatesCommand>();
}

}  // namespace blockarch
