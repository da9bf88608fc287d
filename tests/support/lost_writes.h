// What a machine that loses its power forgets: bytes of files that were not synced, names of directories that were not
// synced. Files are those changed by this process; what was there before is taken to be synced. Writes through maps are not
// followed. Only for failing_io.c, which tells what happens; paths are full ones.
#pragma once

#include <sys/types.h>

// Where files that lose their names are kept meanwhile: beside `directory`, on the same file system.
void lost_start(const char* directory);

// Before bytes of an open file change, by a write or a truncation.
void lost_before_change(int descriptor);
// Before a file that is there is opened with O_TRUNC.
void lost_before_truncation(const char* path);
// After a write to a file opened with O_DSYNC or O_SYNC; at `offset`, or where the descriptor stands now where that is -1.
void lost_after_write(int descriptor, size_t size, off_t offset);
// After fsync or fdatasync of a file or a directory.
void lost_after_sync(int descriptor, const char* path);

// A name is about to go, or to stand for another file: keeps the file. The result is handed on below; -1 where there is none.
long lost_keep(const char* path);
void lost_after_creation(const char* path, int descriptor);
void lost_after_mkdir(const char* path);
void lost_after_removal(const char* path, long kept);
void lost_after_rename(const char* from, const char* to, long kept_from, long kept_to);

// Takes back what was not synced.
void lose_unsynced(int bytes, int names);
