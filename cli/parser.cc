// CLI11 splits options from operands; what they mean and what is wrong with them is said here, so that every
// message has the same voice. Two passes: the global options before the command's name, then all that follows
// it.
#include "cli/parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

namespace blockarch {
namespace {

Error usage(std::string message) {
  return {ErrorCode::invalid, std::move(message)};
}

// Insertions, deletions, replacements and swaps of neighbours between two words.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> least(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        least[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = least[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      least[i][j] = std::min({least[i - 1][j] + 1, least[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
      }
    }
  }
  return least[a.size()][b.size()];
}

// "did you mean …?", or nothing where no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > 40) return {};
  const std::string* best = nullptr;
  std::size_t least = word.size() < 5 ? 2 : 3;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) least = distance, best = &candidate;
  }
  return best == nullptr ? std::string() : fmt::format("did you mean '{}'?", *best);
}

template <typename Number>
Result<Number> parse_number(const std::string& text, const std::string& name) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem == std::errc() && stop == end) return number;
  return usage(fmt::format("{} takes a number, not '{}'", name, text));
}

Result<void> store(const Argument& argument, const std::string& name, const std::vector<std::string>& values) {
  if (values.size() > 1 && !argument.is_repeatable()) return usage(fmt::format("{} is given more than once", name));
  const std::string& value = values.front();
  if (argument.kind == ValueKind::choice &&
      std::find(argument.choices.begin(), argument.choices.end(), value) == argument.choices.end()) {
    return usage(fmt::format("{} is one of {}, not '{}'", name, fmt::join(argument.choices, ", "), value));
  }
  if (auto* const* text = std::get_if<std::string*>(&argument.target)) {
    **text = value;
  } else if (auto* const* maybe_text = std::get_if<std::optional<std::string>*>(&argument.target)) {
    **maybe_text = value;
  } else if (auto* const* list = std::get_if<std::vector<std::string>*>(&argument.target)) {
    (*list)->insert((*list)->end(), values.begin(), values.end());
  } else if (auto* const* number = std::get_if<std::optional<std::uint64_t>*>(&argument.target)) {
    BA_ASSIGN(**number, parse_number<std::uint64_t>(value, name));
  } else if (auto* const* real = std::get_if<double*>(&argument.target)) {
    BA_ASSIGN(**real, parse_number<double>(value, name));
    if (!std::isfinite(**real) || **real < 0) return usage(fmt::format("{} takes no negative number", name));
  } else {
    **std::get_if<bool*>(&argument.target) = true;
  }
  return {};
}

// The options of one pass, and what CLI11 found of them.
class Pass {
 public:
  Pass() {
    app_.set_help_flag();
    app_.allow_extras();
  }

  void add(const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments) {
      CLI::Option* option =
          argument.is_flag() ? app_.add_flag(argument.names)
                             : app_.add_option(argument.names, [](const CLI::results_t&) { return true; })->expected(1);
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      bound_.push_back({option, &argument});
    }
  }

  // Everything from the first word that is no known option on is left over.
  void stop_at_first_word() { app_.prefix_command(); }

  Result<void> parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());
    try {
      app_.parse(std::move(arguments));
    } catch (const CLI::ArgumentMismatch& problem) {
      const std::string text = problem.what();
      return usage(text.substr(0, text.find(':')) + " needs a value");
    } catch (const CLI::ParseError& problem) {
      return usage(problem.what());
    }
    for (const auto& [option, argument] : bound_) {
      if (option->count() == 0) continue;
      // Flags have no values that matter.
      const auto values = argument->is_flag() ? std::vector<std::string>{""} : option->results();
      BA_TRY(store(*argument, argument->name_list().back(), values));
    }
    return {};
  }

  std::vector<std::string> left_over() const { return app_.remaining(); }

 private:
  struct Bound {
    CLI::Option* option;
    const Argument* argument;
  };
  CLI::App app_;
  std::vector<Bound> bound_;
};

bool looks_like_option(const std::string& text) {
  return text.size() > 1 && text[0] == '-';
}

std::vector<std::string> option_names(const Program& program, const Command* command) {
  std::vector<std::string> names;
  const auto collect = [&names](const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments)
      for (std::string& name : argument.name_list())
        if (name.size() > 2) names.push_back(std::move(name));
  };
  if (command != nullptr) collect(command->options());
  collect(program.global_arguments);
  return names;
}

Result<void> store_operands(const Command& command, const std::vector<std::string>& words, bool may_miss) {
  std::size_t next = 0;
  for (const Argument& operand : command.operands()) {
    std::vector<std::string> values;
    while (next < words.size() && (values.empty() || operand.is_repeatable())) values.push_back(words[next++]);
    if (!values.empty()) {
      BA_TRY(store(operand, operand.names, values));
    } else if (operand.required && !may_miss) {
      return usage(fmt::format("{} needs {}", command.name(), operand.names));
    }
  }
  if (next < words.size()) return usage(fmt::format("{} has no use for '{}'", command.name(), words[next]));
  return {};
}

}  // namespace

Parsed parse_arguments(Program& program, std::vector<std::string> arguments) {
  // What stands after "--" is never an option.
  const auto mark = std::find(arguments.begin(), arguments.end(), "--");
  std::vector<std::string> words_after_mark;
  if (mark != arguments.end()) words_after_mark.assign(mark + 1, arguments.end());
  arguments.erase(mark, arguments.end());

  Pass before;
  before.add(program.global_arguments);
  before.stop_at_first_word();
  if (auto parsed = before.parse(std::move(arguments)); !parsed) {
    return {nullptr, parsed.error(), "'blockarch help' lists commands and options"};
  }
  std::vector<std::string> rest = before.left_over();
  if (rest.empty()) return {};
  const std::string name = rest.front();
  rest.erase(rest.begin());
  if (looks_like_option(name)) {
    const std::string near = suggestion(name, option_names(program, nullptr));
    return {nullptr, usage(fmt::format("there is no option {} before a command", name)),
            near.empty() ? "'blockarch help' lists commands and options" : near};
  }
  Command* command = program.find(name);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const auto& each : program.commands) names.push_back(each->name());
    const std::string near = suggestion(name, names);
    return {nullptr, usage(fmt::format("there is no command '{}'", name)),
            near.empty() ? "'blockarch help' lists the commands" : near};
  }

  const std::string hint = fmt::format("'blockarch help {}' explains it", name);
  Pass after;
  after.add(command->options());
  after.add(program.global_arguments);
  if (auto parsed = after.parse(std::move(rest)); !parsed) return {command, parsed.error(), hint};
  std::vector<std::string> words = after.left_over();
  if (const auto unknown = std::find_if(words.begin(), words.end(), looks_like_option); unknown != words.end()) {
    const std::string option = unknown->substr(0, unknown->find('='));
    const std::string near = suggestion(option, option_names(program, command));
    return {command, usage(fmt::format("{} has no option {}", name, option)), near.empty() ? hint : near};
  }
  words.insert(words.end(), words_after_mark.begin(), words_after_mark.end());
  const bool may_miss = program.options.help || program.options.version;
  if (auto stored = store_operands(*command, words, may_miss); !stored) return {command, stored.error(), hint};
  return {command, std::nullopt, {}};
}

}  // namespace blockarch
