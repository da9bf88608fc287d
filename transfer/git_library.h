// The functions of libgit2 that we use, by their own names (base/shared_library.h). Included instead of git2.h.
#pragma once

#include <git2.h>

#include "base/result.h"

// clang-format off
#define BA_GIT_FUNCTIONS(F) \
  F(git_blob_free) \
  F(git_blob_lookup) \
  F(git_blob_rawcontent) \
  F(git_blob_rawsize) \
  F(git_branch_iterator_free) \
  F(git_branch_iterator_new) \
  F(git_branch_name) \
  F(git_branch_next) \
  F(git_commit_author) \
  F(git_commit_committer) \
  F(git_commit_free) \
  F(git_commit_lookup) \
  F(git_commit_message) \
  F(git_commit_parent) \
  F(git_commit_parent_id) \
  F(git_commit_parentcount) \
  F(git_commit_time) \
  F(git_commit_tree) \
  F(git_error_last) \
  F(git_libgit2_init) \
  F(git_libgit2_opts) \
  F(git_object_free) \
  F(git_object_id) \
  F(git_object_peel) \
  F(git_odb_free) \
  F(git_odb_read_header) \
  F(git_reference_free) \
  F(git_repository_free) \
  F(git_repository_is_empty) \
  F(git_repository_is_shallow) \
  F(git_repository_odb) \
  F(git_repository_open_ext) \
  F(git_revparse_single) \
  F(git_revwalk_free) \
  F(git_revwalk_new) \
  F(git_revwalk_next) \
  F(git_revwalk_push) \
  F(git_revwalk_sorting) \
  F(git_tree_entry_byindex) \
  F(git_tree_entry_byname) \
  F(git_tree_entry_bypath) \
  F(git_tree_entry_filemode) \
  F(git_tree_entry_free) \
  F(git_tree_entry_id) \
  F(git_tree_entry_name) \
  F(git_tree_entrycount) \
  F(git_tree_free) \
  F(git_tree_lookup)
// clang-format on

namespace blockarch {

#define BA_DECLARE(name) extern decltype(&::name) name;
BA_GIT_FUNCTIONS(BA_DECLARE)
#undef BA_DECLARE

// Once, before any of them is called.
Result<void> load_git_library();

}  // namespace blockarch
