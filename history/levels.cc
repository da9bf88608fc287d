#include "history/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/url.h"
#include "history/level_replay.h"

namespace blockarch {
namespace {

constexpr std::size_t kFewestVersions = 8;
constexpr std::string_view kSettingPrefix = "level/";

Result<std::string> setting_name(const std::string& url) {
  BA_ASSIGN(const Url parsed, parse_url(url));
  return std::string(kSettingPrefix) + blake3(parsed.href).hex();
}

// The newest versions, oldest first. Those that cannot be read are passed over.
Result<std::vector<ReplayPage>> newest_pages(const Snapshot& snapshot, UrlNumber url, std::string& name) {
  std::vector<ReplayPage> pages;
  std::uint64_t bytes = 0;
  BA_ASSIGN(const CaptureInfo last, snapshot.last_capture(url));
  name = last.url;
  BA_TRY(snapshot.log(url, {}, [&](const LogEntry& entry) {
    auto page = snapshot.page(entry.version);
    if (!page) return true;
    bytes += page->bytes.size();
    if (bytes > kLevelBytes) return false;
    pages.push_back({std::move(page->bytes), page->version.media_type, page->version.charset});
    return pages.size() < kLevelVersions;
  }));
  std::reverse(pages.begin(), pages.end());
  return pages;
}

// Numbers in the order of the fields.
std::array<std::uint64_t*, 8> numbers_of(LearntLevel& level) {
  return {&level.learnt_from,      &level.checked_on,       &level.by_default.stored, &level.by_default.objects,
          &level.by_default.fresh, &level.by_choice.stored, &level.by_choice.objects, &level.by_choice.fresh};
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || stop == text.data() + text.size() || *stop != '\n') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
  return number;
}

std::optional<std::string> take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  std::string line(text.substr(0, end));
  text.remove_prefix(end + 1);
  return line;
}

}  // namespace

Result<std::optional<LearntLevel>> learn_level(const Snapshot& snapshot, UrlNumber url) {
  LearntLevel level;
  BA_ASSIGN(const std::vector<ReplayPage> pages, newest_pages(snapshot, url, level.url));
  if (pages.size() < kFewestVersions || pages.back().charset.empty()) return std::optional<LearntLevel>();
  const std::span<const ReplayPage> all(pages);
  const auto learn = all.first(all.size() / 2);
  const auto decide = all.subspan(learn.size(), all.size() / 4);
  const auto before = all.first(learn.size() + decide.size());
  const auto check = all.subspan(before.size());
  // The first page costs nearly the same in any way: what counts is what changes cost.
  const auto cost_of = [&](const CutChoice& choice) { return replay(learn.first(1), learn.subspan(1), choice).stored; };
  std::uint64_t least = cost_of({});
  for (const CutChoice& choice : propose(learn)) {
    const std::uint64_t cost = cost_of(choice);
    if (cost >= least) continue;
    least = cost;
    level.choice = choice;
  }
  const auto enough = static_cast<double>(replay(learn, decide, {}).stored) * (1 - kLevelGain);
  if (static_cast<double>(replay(learn, decide, level.choice).stored) > enough) level.choice = {};
  level.learnt_from = before.size();
  level.checked_on = check.size();
  level.by_default = replay(before, check, {});
  level.by_choice = level.choice.is_default() ? level.by_default : replay(before, check, level.choice);
  return std::optional<LearntLevel>(std::move(level));
}

std::string encode_level(const LearntLevel& level) {
  LearntLevel copy = level;
  std::string text =
      fmt::format("1\n{}\n{}\n{}\n", level.url, level.choice.level, encode_cut_rules(level.choice.rules));
  for (const std::uint64_t* number : numbers_of(copy)) text += fmt::format("{}\n", *number);
  return text;
}

std::optional<LearntLevel> decode_level(std::string_view text) {
  LearntLevel level;
  if (take_number(text) != 1) return std::nullopt;
  const auto url = take_line(text);
  const auto depth = take_number(text);
  const auto rules_text = take_line(text);
  if (!url || !depth || *depth > 60 || !rules_text) return std::nullopt;
  const auto rules = decode_cut_rules(*rules_text);
  if (!rules) return std::nullopt;
  level.url = *url;
  level.choice = {static_cast<int>(*depth), *rules};
  for (std::uint64_t* number : numbers_of(level)) {
    const auto value = take_number(text);
    if (!value) return std::nullopt;
    *number = *value;
  }
  if (!text.empty()) return std::nullopt;
  return level;
}

Result<void> put_level(Writer& writer, const LearntLevel& level) {
  BA_ASSIGN(const std::string name, setting_name(level.url));
  return writer.put_setting({name, encode_level(level)});
}

Result<void> erase_level(Writer& writer, const std::string& url) {
  BA_ASSIGN(const std::string name, setting_name(url));
  return writer.erase_setting(name);
}

Result<std::optional<LearntLevel>> find_level(const Snapshot& snapshot, const std::string& url) {
  BA_ASSIGN(const std::string name, setting_name(url));
  BA_ASSIGN(const auto text, snapshot.find_setting(name));
  if (!text) return std::optional<LearntLevel>();
  auto level = decode_level(*text);
  if (!level)
    return Error{ErrorCode::corrupt, fmt::format("what was learnt about {} cannot be read: learn it again", url)};
  return level;
}

Result<std::map<std::string, LearntLevel>> all_levels(const Snapshot& snapshot) {
  std::map<std::string, LearntLevel> levels;
  BA_ASSIGN(const std::vector<Setting> settings, snapshot.settings(kSettingPrefix));
  for (const Setting& setting : settings)
    if (auto level = decode_level(setting.value)) levels.insert_or_assign(level->url, std::move(*level));
  return levels;
}

Result<LevelBook> LevelBook::open(const Snapshot& snapshot) {
  LevelBook book;
  BA_ASSIGN(const auto levels, all_levels(snapshot));
  for (const auto& [url, level] : levels) {
    const auto parsed = parse_url(url);
    if (parsed && !level.choice.is_default()) book.choices_.insert_or_assign(parsed->href, level.choice);
  }
  return book;
}

void LevelBook::apply(CaptureRequest& request) const {
  if (choices_.empty() || !request.segmenter.empty() || request.level != 0 || !request.profile.empty()) return;
  const auto parsed = parse_url(request.url);
  const auto found = parsed ? choices_.find(parsed->href) : choices_.end();
  if (found == choices_.end()) return;
  request.level = found->second.level;
  request.profile = encode_cut_rules(found->second.rules);
}

}  // namespace blockarch
