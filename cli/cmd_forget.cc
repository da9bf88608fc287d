// blockarch forget: a URL leaves the archive.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/removal_report.h"
#include "cli/session.h"
#include "cli/text.h"
#include "engine/removal.h"

namespace blockarch {
namespace {

class ForgetCommand : public Command {
 public:
  ForgetCommand() : Command("forget", "remove all captures of a URL") {
    synopsis("forget URL... [--dry-run]");
    synopsis("forget --undo URL...");
    describe(
        "The URL and all its captures leave the archive; what other URLs show stays. gc frees the space after its "
        "grace; until then --undo puts back whatever forget and prune took out of the URL. To remove something for "
        "good and at once, as a takedown asks, use erase.");
    operand("URL", &urls_, "whose captures go").required = true;
    flag("--undo", undo_, "put back what was removed");
    flag("-n,--dry-run", dry_run_, "tell what would go, change nothing");
    example("forget https://example.com/private", "it is not in the log any more");
    example("forget --undo https://example.com/private", "it is again");
  }

  Result<ExitCode> run(Session& session) override {
    BA_ASSIGN(Archive archive, open_archive(session));
    const RemovalOptions options{session.now, dry_run_, session.options.wait()};
    RemovalReport all;
    for (const std::string& url : urls_) {
      BA_ASSIGN(const RemovalReport report,
                undo_ ? restore_url(archive, url, options) : forget_url(archive, url, options));
      all.captures += report.captures;
      all.removed += report.removed;
      all.urls.insert(all.urls.end(), report.urls.begin(), report.urls.end());
    }
    if (!undo_) {
      print_removal(session, all, dry_run_);
    } else if (session.options.json) {
      write_json_document(session.out,
                          Json{{"dry_run", dry_run_}, {"captures", all.captures}, {"restored", all.removed}});
    } else {
      session.out.line(fmt::format("{} {}", counted(all.removed, "capture", "captures"),
                                   dry_run_ ? "would be put back" : "put back"));
    }
    return ExitCode::done;
  }

 private:
  std::vector<std::string> urls_;
  bool undo_ = false;
  bool dry_run_ = false;
};

}  // namespace

std::unique_ptr<Command> make_forget_command() {
  return std::make_unique<ForgetCommand>();
}

}  // namespace blockarch
