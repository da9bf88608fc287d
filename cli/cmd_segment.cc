// blockarch segment: how a page is cut into blocks, what each of them is for and about. Needs no archive.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/charset.h"
#include "cli/block_page.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/segment_train.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/text_table.h"
#include "engine/file_extension.h"
#include "engine/site_model.h"
#include "objects/version.h"
#include "segment/describe.h"
#include "segment/media_type.h"

namespace blockarch {
namespace {

Json blocks_document(const std::vector<DescribedBlock>& blocks) {
  Json list = Json::array();
  for (const DescribedBlock& block : blocks) {
    list.push_back({{"start", block.begin},
                    {"end", block.end},
                    {"level", block.level},
                    {"parent", block.parent == kNoParent ? Json() : Json(block.parent)},
                    {"label", std::string(label_name(block.label))},
                    {"topic", block.topic},
                    {"path", block.path}});
  }
  return {{"blocks", std::move(list)}};
}

// Where the bytes look like mere text, the file's name may tell more.
std::string type_of_page(const std::string& file, ByteView page) {
  const std::string type = sniff_media_type(page);
  const std::string_view by_name = type == "text/plain" ? type_for_name(file) : std::string_view();
  return is_text_media_type(by_name) ? std::string(by_name) : type;
}

void print_tree(Output& out, const std::vector<DescribedBlock>& blocks) {
  TextTable table(out, {{.title = "BLOCK", .cut = Column::Cut::middle},
                        {.title = "SIZE", .align = Column::Align::right},
                        {.title = "LABEL"},
                        {.title = "TOPIC", .cut = Column::Cut::end}});
  for (const DescribedBlock& block : blocks) {
    // The parent's path stands above already.
    std::string_view path = block.path;
    if (block.parent != kNoParent) {
      const std::string& above = blocks[block.parent].path;
      if (path.size() > above.size() + 1 && path.starts_with(above + "/")) path.remove_prefix(above.size() + 1);
    }
    const std::string indent((block.level - std::size_t{1}) * 2, ' ');
    table.row({{indent + (path.empty() ? "-" : std::string(path)), Style::cyan},
               {group_digits(block.end - block.begin)},
               {std::string(label_name(block.label)), Style::yellow},
               {block.topic}});
  }
  table.finish();
}

class SegmentCommand : public Command {
 public:
  SegmentCommand() : Command("segment", "show the blocks of a page: where, what for, what about") {
    synopsis("segment FILE|- [--segmenter NAME] [--level N] [--profile P] [--tree | --json | --html OUT]");
    synopsis("segment FILE|- --segmenter tagtree --site HOST");
    synopsis("segment train FILE... --site HOST [--main TEXTFILE]... [--profile P]");
    describe(
        "Cuts the page in FILE, or on standard input, into blocks and describes them; no archive is needed. A block "
        "has "
        "a label (main, identity, navigation, interaction, copyright, ad, comments, related, script, style, data) and "
        "a "
        "topic of a few words. The same content has the same topic wherever it stands.\n\n"
        "--html writes a page that shows the original with its blocks outlined and named. It is safe to open: scripts "
        "do "
        "not run and nothing is fetched.\n\n"
        "segment train learns where the main content stands on the pages of a site, from sample pages and, with "
        "--main, "
        "from their main texts, and keeps it in the archive. With --site, tagtree uses what was learnt there.");
    operand("FILE", &files_, "the page's bytes; '-': standard input; after 'train', sample pages").kind =
        ValueKind::file;
    Argument& segmenter = option("--segmenter", "NAME", &segmenter_, "what cuts the page into blocks (auto)");
    segmenter.kind = ValueKind::choice;
    for (const std::string_view name : segmenter_names()) segmenter.choices.emplace_back(name);
    option("--level", "N", &level_, "how deep it is cut; 0 = the segmenter's own choice");
    option("--profile", "P", &profile_, "a variant of the segmenter");
    option("--site", "HOST", &site_, "whose page it is, a host or a URL: tagtree uses what was learnt about that site");
    option("--main", "TEXTFILE", &main_files_, "train: the main text of the sample page in the same place").kind =
        ValueKind::file;
    option("--type", "MIME", &type_,
           "the content type it was served with; without it the bytes decide, and the ending of FILE where they look "
           "like mere text");
    flag("--tree", tree_, "a tree with sizes, labels and topics (what is printed without --json and --html)");
    option("--html", "OUT", &html_, "write the outlined page to a file; '-': standard output").kind = ValueKind::file;
    option("--theta", "N", &theta_, "a topic has at most N words");
    option("--delta", "N", &delta_, "a text of fewer than N words is shortened instead of counted");
    option("--epsilon", "N", &epsilon_, "a word of a topic must occur more often than N times");
    example("segment page.html", "what the page is made of");
    example("segment page.html --json --level 2", "two levels of blocks, for a program");
    example("segment page.html --html blocks.html", "to look at in a browser");
    example("segment train a.html b.html c.html --site news.example.com", "learn where a site's articles stand");
  }

  Result<ExitCode> run(Session& session) override {
    if (!files_.empty() && files_[0] == "train" && (files_.size() > 1 || site_)) {
      return train_site(session, {{files_.begin() + 1, files_.end()}, main_files_, site_.value_or(""), profile_});
    }
    if (!main_files_.empty()) return Error{ErrorCode::invalid, "--main is for segment train"};
    if (files_.size() > 1) return Error{ErrorCode::invalid, "segment takes one page at a time"};
    if (static_cast<int>(tree_) + static_cast<int>(session.options.json) + static_cast<int>(html_.has_value()) > 1) {
      return Error{ErrorCode::invalid, "--tree, --json and --html exclude each other"};
    }
    BA_ASSIGN(DescribeOptions options, make_options());
    BA_ASSIGN(const Segmenter* segmenter, choose_segmenter(segmenter_, options.page.level, profile_));
    if (site_) BA_TRY(use_site(session, options.page));
    const std::string file = files_.empty() ? "-" : files_[0];
    BA_ASSIGN(const Bytes page, read_input(file, kMaxPayload));
    const MediaType type = parse_media_type(type_);
    options.page.media_type = type.essence.empty() ? type_of_page(file, page) : type.essence;
    options.page.charset = detect_charset(page, type.charset_label).name;
    const std::vector<DescribedBlock> blocks = describe_page(page, *segmenter, options);
    return print(session, page, blocks, options.page);
  }

 private:
  static Result<std::uint32_t> small_number(const std::optional<std::uint64_t>& given, std::uint32_t otherwise,
                                            std::uint32_t least, std::uint32_t most, const char* name) {
    if (!given) return otherwise;
    if (*given >= least && *given <= most) return static_cast<std::uint32_t>(*given);
    return Error{ErrorCode::invalid, fmt::format("{} {} is out of range: {} to {}", name, *given, least, most)};
  }

  Result<void> use_site(Session& session, SegmentOptions& options) const {
    if (segmenter_ != "tagtree") return Error{ErrorCode::invalid, "--site is for --segmenter tagtree"};
    if (!profile_.empty()) return Error{ErrorCode::invalid, "--site and --profile exclude each other"};
    BA_ASSIGN(const std::string site, site_of(*site_));
    BA_ASSIGN(const Archive archive, open_archive(session));
    BA_ASSIGN(const Snapshot snapshot, archive.snapshot());
    BA_ASSIGN(const auto model, find_site_model(snapshot, site));
    if (!model) {
      return Error{ErrorCode::not_found, fmt::format("nothing was learnt about {}: use blockarch segment train", site)};
    }
    options.profile = encode_model(*model);
    return {};
  }

  Result<DescribeOptions> make_options() const {
    constexpr std::uint32_t kMost = 10'000;
    DescribeOptions options;
    BA_ASSIGN(const std::uint32_t level, small_number(level_, kDefaultLevel, 0, kMaxLevel, "level"));
    options.page.level = static_cast<int>(level);
    options.page.profile = profile_;
    BA_ASSIGN(options.topics.theta, small_number(theta_, options.topics.theta, 1, kMost, "--theta"));
    BA_ASSIGN(options.topics.delta, small_number(delta_, options.topics.delta, 0, kMost, "--delta"));
    BA_ASSIGN(options.topics.epsilon, small_number(epsilon_, options.topics.epsilon, 0, kMost, "--epsilon"));
    return options;
  }

  Result<ExitCode> print(Session& session, ByteView page, const std::vector<DescribedBlock>& blocks,
                         const SegmentOptions& options) const {
    if (html_) {
      const std::string document = block_page(page, blocks, options);
      if (*html_ == "-") {
        session.out.write(document);
      } else {
        BA_TRY(write_output_file(*html_, document));
      }
    } else if (session.options.json) {
      write_json_document(session.out, blocks_document(blocks));
    } else {
      print_tree(session.out, blocks);
    }
    return ExitCode::done;
  }

  std::vector<std::string> files_;
  std::vector<std::string> main_files_;
  std::optional<std::string> site_;
  std::string segmenter_ = "auto";
  std::optional<std::uint64_t> level_;
  std::string profile_;
  std::string type_;
  bool tree_ = false;
  std::optional<std::string> html_;
  std::optional<std::uint64_t> theta_;
  std::optional<std::uint64_t> delta_;
  std::optional<std::uint64_t> epsilon_;
};

}  // namespace

std::unique_ptr<Command> make_segment_command() {
  return std::make_unique<SegmentCommand>();
}

}  // namespace blockarch
