# How our targets are made: one static library per directory, the same warnings and sanitizers everywhere.

add_library(blockarch_options INTERFACE)
target_compile_options(blockarch_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers)
# GCC 12 sees uninitialised members in every optional that holds a vector, and overlapping copies in "x" + string; clang
# and the sanitizers look for real ones.
target_compile_options(blockarch_options INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(BLOCKARCH_WERROR)
  target_compile_options(blockarch_options INTERFACE -Werror)
endif()
if(BLOCKARCH_SANITIZE)
  target_compile_options(blockarch_options INTERFACE -fsanitize=${BLOCKARCH_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(blockarch_options INTERFACE -fsanitize=${BLOCKARCH_SANITIZE})
endif()
if(BLOCKARCH_FUZZ)
  target_compile_options(blockarch_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# blockarch_loads(NAME LIBRARY FILES INCLUDES): the library is not linked, but loaded by its own name, BLOCKARCH_LIBRARY, when
# it is first needed (base/shared_library.h).
function(blockarch_loads name library files includes)
  list(GET files 0 file)
  get_filename_component(file "${file}" REALPATH)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p "${file}" OUTPUT_VARIABLE headers RESULT_VARIABLE failed ERROR_QUIET)
  if(failed OR NOT headers MATCHES "SONAME +([^ \n]+)")
    message(FATAL_ERROR "cannot tell by which name ${file} is loaded")
  endif()
  target_compile_definitions(blockarch_${name} PRIVATE BLOCKARCH_${library}="${CMAKE_MATCH_1}")
  target_include_directories(blockarch_${name} SYSTEM PRIVATE ${includes})
endfunction()

# blockarch_library(NAME SOURCES… USES blockarch libraries… LINKS private third-party libraries…)
function(blockarch_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS" ${ARGN})
  add_library(blockarch_${name} STATIC ${ARG_SOURCES})
  add_library(blockarch::${name} ALIAS blockarch_${name})
  set_target_properties(blockarch_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(blockarch_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/blockarch>)
  target_compile_features(blockarch_${name} PUBLIC cxx_std_20)
  target_link_libraries(blockarch_${name} PUBLIC ${ARG_USES} PRIVATE ${ARG_LINKS} $<BUILD_INTERFACE:blockarch_options>)
endfunction()
