// blockarch init: an empty archive.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json.h"
#include "cli/session.h"
#include "cli/text.h"

namespace blockarch {
namespace {

class InitCommand : public Command {
 public:
  InitCommand() : Command("init", "make an empty archive") {
    synopsis("init [DIR]");
    describe(
        "Makes an empty archive in DIR, which must be missing or empty; its parent must exist. Without DIR: "
        "in the "
        "directory that -C or BLOCKARCH_DIR names, else in the current one.");
    operand("DIR", &directory_, "where the archive goes").kind = ValueKind::directory;
    example("init pages.ba", "a new archive beside your other files");
  }

  Result<ExitCode> run(Session& session) override {
    const std::string directory = directory_.value_or(session.options.archive_directory());
    if (auto created = Archive::create(directory); !created) {
      // `not_found` is for what an archive does not have; here it is the directory above that is missing.
      if (created.error().code == ErrorCode::not_found) return Error{ErrorCode::io, created.error().message};
      return created.error();
    }
    if (session.options.json) {
      write_json_line(session.out, {{"directory", directory}, {"created", true}});
    } else {
      session.out.line(fmt::format("made an empty archive in {}", printable(directory)));
    }
    return ExitCode::done;
  }

 private:
  std::optional<std::string> directory_;
};

}  // namespace

std::unique_ptr<Command> make_init_command() {
  return std::make_unique<InitCommand>();
}

}  // namespace blockarch
