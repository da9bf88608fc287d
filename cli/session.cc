#include "cli/session.h"

namespace blockarch {

Program::Program() : global_arguments(blockarch::global_arguments(options)) {
  // One a line, so that commands which are added side by side do not meet.
  for (const auto make : {
           make_init_command,     make_add_command,        make_import_command, make_export_command,
           make_urls_command,     make_log_command,        make_diff_command,   make_rules_command,
           make_blame_command,    make_find_block_command, make_rates_command,  make_show_command,
           make_checkout_command, make_cat_command,        make_tag_command,    make_stats_command,
           make_segment_command,  make_pack_command,       make_prune_command,  make_forget_command,
           make_erase_command,    make_gc_command,         make_levels_command, make_fsck_command,
           make_help_command,     make_completion_command,
       }) {
    commands.push_back(make());
  }
}

Command* Program::find(std::string_view name) const {
  for (const auto& command : commands)
    if (command->name() == name) return command.get();
  return nullptr;
}

Result<Archive> open_archive(const Session& session) {
  return Archive::open(session.options.archive_directory());
}

}  // namespace blockarch
