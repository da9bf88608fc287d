#include "cli/command.h"

namespace blockarch {

std::vector<std::string> Argument::name_list() const {
  std::vector<std::string> list;
  std::size_t begin = 0;
  while (begin <= names.size()) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    list.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return list;
}

Argument& Command::operand(std::string name, Target target, std::string help) {
  return operands_.emplace_back(
      Argument{.names = std::move(name), .value = {}, .help = std::move(help), .target = target});
}

Argument& Command::option(std::string names, std::string value, Target target, std::string help) {
  return options_.emplace_back(
      Argument{.names = std::move(names), .value = std::move(value), .help = std::move(help), .target = target});
}

Argument& Command::flag(std::string names, bool& target, std::string help) {
  return option(std::move(names), "", &target, std::move(help));
}

}  // namespace blockarch
