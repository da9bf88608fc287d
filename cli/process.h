// What the program needs from the operating system around it: descriptors, signals, locale.
#pragma once

#include <string>

namespace blockarch {

// Called first of all.
// - Standard descriptors that were closed are opened to nothing, so that no file of the archive can become
// one of them.
// - A closed pipe ends the program quietly, whatever was inherited.
// - A fault inside hot.mdb's memory map, and an assertion of LMDB, become one line and exit code 5.
void prepare_process();

// A file that a signal which ends the program must remove first. One at a time; an empty path takes it back.
void remove_on_signal(const std::string& path);

}  // namespace blockarch
