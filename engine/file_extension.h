// Endings of file names by media type, as browsers and desktops read them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace blockarch {

// With its dot: ".html" for "text/html", ".bin" for a type that is not known.
std::string extension_for(std::string_view media_type);

// The type that files with this name's ending usually have, empty where that is not known: "text/css" for "a/style.css".
std::string_view type_for_name(std::string_view name);

// How many bytes at the end of a file's name, with the dot, are an ending that may stay: 0 where it has none,
// or one that would make a browser take the file for something else than its media type.
std::size_t kept_extension(std::string_view name, std::string_view media_type);

}  // namespace blockarch
