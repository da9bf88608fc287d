// blockarch completion: scripts for shells.
#include <nlohmann/json.hpp>

#include "cli/completion.h"
#include "cli/json.h"

namespace blockarch {
namespace {

class CompletionCommand : public Command {
 public:
  CompletionCommand() : Command("completion", "print a completion script for a shell") {
    synopsis("completion bash|zsh|fish");
    describe(
        "Installed packages bring these scripts along; this prints them for a program that was built by "
        "hand.");
    Argument& shell = operand("SHELL", &shell_, "bash, zsh or fish");
    shell.required = true;
    shell.kind = ValueKind::choice;
    shell.choices = {"bash", "zsh", "fish"};
    example("completion bash > ~/.local/share/bash-completion/completions/blockarch", "for bash");
    example("completion zsh > ~/.zfunc/_blockarch", "for zsh, with ~/.zfunc in fpath");
    example("completion fish > ~/.config/fish/completions/blockarch.fish", "for fish");
  }

  Result<ExitCode> run(Session& session) override {
    const std::string script = shell_ == "bash"  ? bash_completion(session.program)
                               : shell_ == "zsh" ? zsh_completion(session.program)
                                                 : fish_completion(session.program);
    if (session.options.json) {
      write_json_line(session.out, {{"shell", shell_}, {"script", script}});
    } else {
      session.out.write(script);
    }
    return ExitCode::done;
  }

 private:
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> make_completion_command() {
  return std::make_unique<CompletionCommand>();
}

}  // namespace blockarch
