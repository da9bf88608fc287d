#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/text.h"

namespace blockarch {
namespace {

constexpr std::size_t kWidest = 96;  // longer lines are hard to read

std::size_t text_width(const Output& out) {
  return out.terminal().width == 0 ? kWidest : std::clamp<std::size_t>(out.terminal().width, 40, kWidest);
}

// Words of `text` in lines of at most `width`, each but the first indented.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t size = display_width(word);
    if (column > indent && column + 1 + size > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += size;
  }
  return out;
}

void print_heading(Output& out, std::string_view title) {
  out.line();
  out.line(out.styled(title, Style::bold));
}

// A term and what it means, in two columns.
struct Entry {
  std::string term;
  std::string meaning;
};

void print_entries(Output& out, const std::vector<Entry>& entries) {
  std::size_t widest = 0;
  for (const Entry& entry : entries) widest = std::max(widest, display_width(entry.term));
  const std::size_t indent = std::min<std::size_t>(widest, 28) + 4;
  for (const Entry& entry : entries) {
    std::string line = "  " + out.styled(entry.term, Style::cyan);
    const std::size_t used = 2 + display_width(entry.term);
    line += used + 2 > indent ? "\n" + std::string(indent, ' ') : std::string(indent - used, ' ');
    out.line(line + wrapped(entry.meaning, text_width(out), indent));
  }
}

Entry entry_for(const Argument& argument) {
  const std::vector<std::string> names = argument.name_list();
  std::string term = fmt::format("{}", fmt::join(names, ", "));
  // So that long names stand below each other.
  if (names.front().starts_with("--")) term = "    " + term;
  if (!argument.value.empty()) term += " " + argument.value;
  return {std::move(term), argument.help};
}

void print_options(Output& out, std::string_view title, const std::vector<Argument>& arguments) {
  if (arguments.empty()) return;
  print_heading(out, title);
  std::vector<Entry> entries;
  for (const Argument& argument : arguments) entries.push_back(entry_for(argument));
  print_entries(out, entries);
}

void print_examples(Output& out, const std::vector<Example>& examples) {
  if (examples.empty()) return;
  print_heading(out, "Examples");
  for (const Example& example : examples) {
    out.line("  " + out.styled("# " + example.says, Style::dim));
    out.line("  blockarch " + example.command);
  }
}

void print_paragraphs(Output& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    out.line();
    out.line(wrapped(text.substr(0, end), text_width(out), 0));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
}

Json argument_json(const Argument& argument) {
  Json json = {{"names", argument.name_list()}, {"help", argument.help}};
  if (!argument.value.empty()) json["value"] = argument.value;
  if (argument.is_repeatable()) json["repeatable"] = true;
  if (argument.required) json["required"] = true;
  if (!argument.choices.empty()) json["choices"] = argument.choices;
  return json;
}

Json arguments_json(const std::vector<Argument>& arguments) {
  Json json = Json::array();
  for (const Argument& argument : arguments) json.push_back(argument_json(argument));
  return json;
}

}  // namespace

void print_program_help(Output& out, const Program& program) {
  out.line("blockarch keeps the history of web pages: every version byte for byte, every block stored once.");
  print_heading(out, "Usage");
  out.line("  blockarch [-C DIR] COMMAND [options]");
  print_heading(out, "Commands");
  std::vector<Entry> entries;
  for (const auto& command : program.commands) entries.push_back({command->name(), command->summary()});
  print_entries(out, entries);
  print_options(out, "Options of every command", program.global_arguments);
  print_heading(out, "Names");
  print_entries(out, {{"URL", "the newest capture of it"},
                      {"URL@DATE", "as of a date, for example https://example.com/@2024-05-01"},
                      {"URL~2", "two versions before the newest"},
                      {"1f3a9c0d2e4b", "a version, block or other object by the beginning of its id"}});
  print_heading(out, "Dates");
  out.line("  " +
           wrapped("2024-05-01T12:30:00Z, 2024-05-01, 20240501123000, 2024, @1714566600, '3 days ago', yesterday, "
                   "or a tag; UTC unless they say otherwise",
                   text_width(out), 2));
  out.line();
  out.line("'blockarch help COMMAND' explains a command and shows examples.");
}

void print_command_help(Output& out, const Program& program, const Command& command) {
  out.line(fmt::format("{} - {}", out.styled("blockarch " + command.name(), Style::bold), command.summary()));
  print_heading(out, "Usage");
  for (const std::string& synopsis : command.synopses()) {
    out.line("  blockarch " + wrapped(synopsis, text_width(out), 12));
  }
  print_paragraphs(out, command.description());
  print_options(out, "Operands", command.operands());
  print_options(out, "Options", command.options());
  print_options(out, "Options of every command", program.global_arguments);
  print_examples(out, command.examples());
}

void print_version(Output& out, bool json) {
  if (json) return write_json_line(out, {{"name", "blockarch"}, {"version", BLOCKARCH_VERSION}});
  out.line("blockarch " BLOCKARCH_VERSION);
}

Json program_json(const Program& program) {
  Json commands = Json::array();
  for (const auto& command : program.commands) {
    Json json = {{"name", command->name()}, {"summary", command->summary()}};
    json["operands"] = arguments_json(command->operands());
    json["options"] = arguments_json(command->options());
    commands.push_back(std::move(json));
  }
  return {{"name", "blockarch"},
          {"version", BLOCKARCH_VERSION},
          {"options", arguments_json(program.global_arguments)},
          {"commands", std::move(commands)}};
}

}  // namespace blockarch
