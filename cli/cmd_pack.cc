// blockarch pack: loose objects into pack files.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/pack_archive.h"

namespace blockarch {
namespace {

class PackCommand : public Command {
 public:
  PackCommand() : Command("pack", "make the archive smaller") {
    synopsis("pack [--all] [--codec NAME] [--compression N] [--threads N]");
    describe(
        "Moves what was captured since the last time into a pack: a file in which pages stand beside those they "
        "resemble, so that each costs what is new in it. With --all everything is packed anew, into one pack, and the "
        "tables are written anew too, which gives the smallest archive.\n\n"
        "Reading goes on meanwhile, and capturing too but for a moment at the end. Ctrl-C, a crash or a full disk "
        "leave "
        "the archive as it was. An import of many captures packs by itself when it is done.");
    flag("--all", all_, "pack everything anew, for size");
    Argument& codec = option("--codec", "NAME", &codec_, "zstd, or deflate: larger, and readable with zlib alone");
    codec.kind = ValueKind::choice;
    codec.choices = {"zstd", "deflate"};
    option("--compression", "N", &level_, "how hard to compress: 1 to 22 for zstd (12), 1 to 12 for deflate (9)");
    option("--threads", "N", &threads_, "how many threads compress (one for each processor, at most 4)");
    example("pack", "what is new");
    example("pack --all", "everything, before a backup");
  }

  Result<ExitCode> run(Session& session) override {
    PackOptions options;
    options.all = all_;
    if (codec_ == "deflate") options.compression = PackCompression::deflate;
    BA_TRY(set_level(options));
    if (threads_ && (*threads_ == 0 || *threads_ > 64)) {
      return Error{ErrorCode::invalid, fmt::format("--threads {}: give 1 to 64", *threads_)};
    }
    options.threads = static_cast<unsigned>(threads_.value_or(0));
    options.wait = session.options.wait();
    BA_ASSIGN(Archive archive, open_archive(session));
    Progress progress(session.options.no_color);
    const StopOnSignal stop;
    options.stop = &stop.flag();
    options.progress = [&progress](std::uint64_t done, std::uint64_t total) {
      progress.update("packing", done, total);
    };
    BA_ASSIGN(const PackReport report, pack_archive(archive, options));
    progress.finish();
    if (session.options.json) {
      write_json_document(session.out, Json{{"versions", report.versions},
                                            {"metadata", report.metadata},
                                            {"pack_bytes", report.pack_bytes},
                                            {"packs", report.packs},
                                            {"bytes_before", report.bytes_before},
                                            {"bytes_after", report.bytes_after}});
      return ExitCode::done;
    }
    if (report.pack_bytes == 0) {
      session.out.line("nothing to pack");
      return ExitCode::done;
    }
    session.out.line(fmt::format("packed {} into {}", counted(report.versions, "version", "versions"),
                                 human_size(report.pack_bytes)));
    session.out.line(fmt::format("archive {} → {}, {}", human_size(report.bytes_before),
                                 session.out.styled(human_size(report.bytes_after), Style::bold),
                                 counted(report.packs, "pack", "packs")));
    return ExitCode::done;
  }

 private:
  Result<void> set_level(PackOptions& options) const {
    if (!level_) return {};
    const std::uint64_t most = codec_ == "deflate" ? 12 : 22;
    if (*level_ == 0 || *level_ > most) {
      return Error{ErrorCode::invalid, fmt::format("--compression {}: give 1 to {}", *level_, most)};
    }
    options.level = static_cast<int>(*level_);
    return {};
  }

  bool all_ = false;
  std::string codec_;
  std::optional<std::uint64_t> level_;
  std::optional<std::uint64_t> threads_;
};

}  // namespace

std::unique_ptr<Command> make_pack_command() {
  return std::make_unique<PackCommand>();
}

}  // namespace blockarch
