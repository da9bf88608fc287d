#include "cli/completion.h"

#include <fmt/format.h>

namespace blockarch {
namespace {

// Each @NAME@ of a script by its text.
std::string filled(std::string script, const std::vector<std::pair<std::string, std::string>>& parts) {
  for (const auto& [name, text] : parts) {
    for (std::size_t at; (at = script.find(name)) != std::string::npos;) script.replace(at, name.size(), text);
  }
  return script;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

// Inside single quotes of any shell.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::vector<std::string> command_names(const Program& program) {
  std::vector<std::string> names;
  for (const auto& command : program.commands) names.push_back(command->name());
  return names;
}

std::vector<std::string> option_names(const std::vector<Argument>& arguments) {
  std::vector<std::string> names;
  for (const Argument& argument : arguments)
    for (std::string& name : argument.name_list()) names.push_back(std::move(name));
  return names;
}

// --- bash ---

// What `compgen` offers for the value of an option or for an operand.
std::string bash_values(const Program& program, const Argument& argument) {
  switch (argument.kind) {
    case ValueKind::file:
      return "-f";
    case ValueKind::directory:
      return "-d";
    case ValueKind::choice:
      return fmt::format("-W {}", quoted(fmt::format("{}", fmt::join(argument.choices, " "))));
    case ValueKind::text:
      break;
  }
  if (argument.names == "COMMAND")
    return fmt::format("-W {}", quoted(fmt::format("{}", fmt::join(command_names(program), " "))));
  return "-W ''";
}

// A branch for each option that takes a value.
std::string bash_option_branches(const Program& program, const std::string& command,
                                 const std::vector<Argument>& arguments) {
  std::string out;
  for (const Argument& argument : arguments) {
    if (argument.is_flag()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : argument.name_list()) patterns.push_back(fmt::format("{}:{}", command, name));
    out += fmt::format("    {}) values={};;\n", fmt::join(patterns, "|"), quoted(bash_values(program, argument)));
  }
  return out;
}

constexpr char kBashScript[] = R"sh(# blockarch completion for bash, made by 'blockarch completion bash'
_blockarch() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= options= operand="-W '@NAMES@'" values= skip= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ -n $skip ]]; then skip=; continue; fi
    case ${COMP_WORDS[i]} in
    @VALUED@) skip=1;;
    -*) ;;
    *) command=${COMP_WORDS[i]}; break;;
    esac
  done
  case $command:$previous in
@BRANCHES@  esac
  case $command in
@COMMANDS@  esac
  if [[ -n $values ]]; then
    eval "COMPREPLY=(\$(compgen $values -- \"\$current\"))"
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options @GLOBAL@" -- "$current"))
  else
    eval "COMPREPLY=(\$(compgen $operand -- \"\$current\"))"
  fi
}
complete -o filenames -F _blockarch blockarch
)sh";

}  // namespace

std::string bash_completion(const Program& program) {
  std::string branches = bash_option_branches(program, "*", program.global_arguments);
  std::string commands;
  for (const auto& command : program.commands) {
    branches += bash_option_branches(program, command->name(), command->options());
    // The last operand is the one that may be a file, or several.
    const std::string words = command->operands().empty() ? "-W ''" : bash_values(program, command->operands().back());
    commands += fmt::format("    {}) options='{}' operand={};;\n", command->name(),
                            joined(option_names(command->options()), " "), quoted(words));
  }
  std::vector<std::string> valued;
  for (const Argument& argument : program.global_arguments)
    if (!argument.is_flag())
      for (std::string& name : argument.name_list()) valued.push_back(std::move(name));
  return filled(kBashScript, {{"@VALUED@", joined(valued, "|")},
                              {"@BRANCHES@", branches},
                              {"@NAMES@", joined(command_names(program), " ")},
                              {"@COMMANDS@", commands},
                              {"@GLOBAL@", joined(option_names(program.global_arguments), " ")}});
}

// --- zsh ---

namespace {

// Text inside "[…]" of _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const Argument& argument) {
  switch (argument.kind) {
    case ValueKind::file:
      return "_files";
    case ValueKind::directory:
      return "_files -/";
    case ValueKind::choice:
      return fmt::format("({})", fmt::join(argument.choices, " "));
    case ValueKind::text:
      break;
  }
  return argument.names == "COMMAND" ? "_blockarch_commands" : " ";
}

std::string zsh_options(const std::vector<Argument>& arguments, std::string_view indent) {
  std::string out;
  for (const Argument& argument : arguments) {
    for (const std::string& name : argument.name_list()) {
      std::string spec = argument.is_repeatable() ? "*" + name : name;
      spec += fmt::format("[{}]", zsh_text(argument.help));
      if (!argument.is_flag()) spec += fmt::format(":{}:{}", argument.value, zsh_action(argument));
      out += fmt::format("{}{}\n", indent, quoted(spec));
    }
  }
  return out;
}

std::string zsh_operands(const std::vector<Argument>& operands, std::string_view indent) {
  std::string out;
  for (const Argument& operand : operands) {
    const std::string spec =
        fmt::format("{}{}:{}", operand.is_repeatable() ? "*:" : ":", operand.names, zsh_action(operand));
    out += fmt::format("{}{}\n", indent, quoted(spec));
  }
  return out;
}

constexpr char kZshScript[] = R"sh(#compdef blockarch
# blockarch completion for zsh, made by 'blockarch completion zsh'
_blockarch_commands() {
  local -a commands=(
@COMMANDS@  )
  _describe -t commands 'command' commands
}
_blockarch() {
  local curcontext=$curcontext state line
  local -a global=(
@GLOBAL@  )
  _arguments -C -s $global '1: :_blockarch_commands' '*:: :->rest'
  [[ $state == rest ]] || return
  case $words[1] in
@BRANCHES@  esac
}
_blockarch "$@"
)sh";

}  // namespace

std::string zsh_completion(const Program& program) {
  std::string commands;
  std::string branches;
  for (const auto& command : program.commands) {
    commands += fmt::format("    {}\n", quoted(fmt::format("{}:{}", command->name(), command->summary())));
    branches += fmt::format("    {})\n      local -a own=(\n{}{}      )\n      _arguments -s $own $global ;;\n",
                            command->name(), zsh_options(command->options(), "        "),
                            zsh_operands(command->operands(), "        "));
  }
  return filled(kZshScript, {{"@COMMANDS@", commands},
                             {"@GLOBAL@", zsh_options(program.global_arguments, "    ")},
                             {"@BRANCHES@", branches}});
}

// --- fish ---

namespace {

std::string fish_options(const std::vector<Argument>& arguments, const std::string& condition) {
  std::string out;
  for (const Argument& argument : arguments) {
    std::string line = "complete -c blockarch" + condition;
    for (const std::string& name : argument.name_list()) {
      line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!argument.is_flag()) {
      line += argument.kind == ValueKind::file        ? " -rF"
              : argument.kind == ValueKind::directory ? " -x -a '(__fish_complete_directories)'"
              : argument.kind == ValueKind::choice    ? fmt::format(" -x -a '{}'", joined(argument.choices, " "))
                                                      : " -x";
    }
    out += fmt::format("{} -d {}\n", line, quoted(argument.help));
  }
  return out;
}

}  // namespace

std::string fish_completion(const Program& program) {
  std::string out = "# blockarch completion for fish, made by 'blockarch completion fish'\ncomplete -c blockarch -f\n";
  out += fish_options(program.global_arguments, "");
  for (const auto& command : program.commands) {
    out += fmt::format("complete -c blockarch -n __fish_use_subcommand -a {} -d {}\n", command->name(),
                       quoted(command->summary()));
    const std::string condition = fmt::format(" -n '__fish_seen_subcommand_from {}'", command->name());
    out += fish_options(command->options(), condition);
    for (const Argument& operand : command->operands()) {
      if (operand.kind == ValueKind::file || operand.kind == ValueKind::directory) {
        out += fmt::format("complete -c blockarch{} -F\n", condition);
      } else if (operand.kind == ValueKind::choice || operand.names == "COMMAND") {
        const auto& words = operand.kind == ValueKind::choice ? operand.choices : command_names(program);
        out += fmt::format("complete -c blockarch{} -a '{}'\n", condition, fmt::join(words, " "));
      }
    }
  }
  return out;
}

}  // namespace blockarch
