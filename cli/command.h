// A command of the program: what it takes, what it says about itself, what it does. Parsing (parser.h), help
// (help.h) and shell completion (completion.h) all read the same description, so they cannot drift apart.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/errors.h"

namespace blockarch {

struct Session;

// Where what stands on the command line goes. A bool is a flag, a vector may be given more than once, an
// optional tells whether it was given.
using Target = std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*,
                            std::optional<std::uint64_t>*, double*>;

// What a shell may offer for a value.
enum class ValueKind { text, file, directory, choice };

// An option or flag ("-n,--limit") or an operand ("URL").
struct Argument {
  std::string names;
  std::string value;  // what stands for the value in the help: "N"; empty for flags and operands
  std::string help;
  Target target;
  ValueKind kind = ValueKind::text;
  std::vector<std::string> choices = {};  // for ValueKind::choice
  bool required = false;                  // operands only

  bool is_flag() const { return std::holds_alternative<bool*>(target); }
  bool is_repeatable() const { return std::holds_alternative<std::vector<std::string>*>(target); }
  // {"-n", "--limit"}
  std::vector<std::string> name_list() const;
};

struct Example {
  std::string command;  // without "blockarch "
  std::string says;
};

class Command {
 public:
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Called once, after every target was set. Errors are printed by main(), nowhere else.
  virtual Result<ExitCode> run(Session& session) = 0;

  const std::string& name() const { return name_; }
  const std::string& summary() const { return summary_; }
  // Paragraphs, separated by empty lines.
  const std::string& description() const { return description_; }
  const std::vector<std::string>& synopses() const { return synopses_; }
  const std::vector<Argument>& options() const { return options_; }
  const std::vector<Argument>& operands() const { return operands_; }
  const std::vector<Example>& examples() const { return examples_; }

 protected:
  // `summary` begins with a verb and has no final dot.
  Command(std::string name, std::string summary) : name_(std::move(name)), summary_(std::move(summary)) {}

  // One line of usage, without "blockarch "; a command with two ways of use has two.
  void synopsis(std::string line) { synopses_.push_back(std::move(line)); }
  void describe(std::string text) { description_ = std::move(text); }
  void example(std::string command, std::string says) { examples_.push_back({std::move(command), std::move(says)}); }
  Argument& operand(std::string name, Target target, std::string help);
  Argument& option(std::string names, std::string value, Target target, std::string help);
  Argument& flag(std::string names, bool& target, std::string help);

 private:
  std::string name_;
  std::string summary_;
  std::string description_;
  std::vector<std::string> synopses_;
  std::vector<Argument> options_;
  std::vector<Argument> operands_;
  std::vector<Example> examples_;
};

std::unique_ptr<Command> make_add_command();
std::unique_ptr<Command> make_blame_command();
std::unique_ptr<Command> make_cat_command();
std::unique_ptr<Command> make_checkout_command();
std::unique_ptr<Command> make_completion_command();
std::unique_ptr<Command> make_erase_command();
std::unique_ptr<Command> make_diff_command();
std::unique_ptr<Command> make_export_command();
std::unique_ptr<Command> make_forget_command();
std::unique_ptr<Command> make_find_block_command();
std::unique_ptr<Command> make_fsck_command();
std::unique_ptr<Command> make_gc_command();
std::unique_ptr<Command> make_help_command();
std::unique_ptr<Command> make_import_command();
std::unique_ptr<Command> make_init_command();
std::unique_ptr<Command> make_levels_command();
std::unique_ptr<Command> make_log_command();
std::unique_ptr<Command> make_pack_command();
std::unique_ptr<Command> make_prune_command();
std::unique_ptr<Command> make_rules_command();
std::unique_ptr<Command> make_rates_command();
std::unique_ptr<Command> make_segment_command();
std::unique_ptr<Command> make_show_command();
std::unique_ptr<Command> make_stats_command();
std::unique_ptr<Command> make_tag_command();
std::unique_ptr<Command> make_urls_command();

}  // namespace blockarch
