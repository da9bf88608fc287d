// Pages of the kinds there are, made up for tests.
#pragma once

#include <string>
#include <vector>

#include "tests/segment/segment_checks.h"

namespace blockarch {

// A page of today: header, main with articles, aside, footer.
inline std::string div_page() {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Modern</title>\n"
      "<link rel=\"stylesheet\" href=\"/a.css\">\n<style>" +
      repeat(".box { margin: 0 auto }\n", 20) + "</style>\n<script>window.state = {\"a\": [" + repeat("1,", 500) +
      "0]};</script>\n</head>\n<body class=\"home\">\n<header><nav><ul>\n";
  for (unsigned i = 0; i < 20; ++i) {
    page += "<li class=\"item\"><a href=\"/section/" + std::to_string(i) + "\">Section <b>" + std::to_string(i) +
            "</b></a></li>\n";
  }
  page += "</ul></nav></header>\n<div id=\"content\">\n<main>\n";
  for (unsigned i = 0; i < 8; ++i) {
    page += "<article id=\"a" + std::to_string(i) + "\"><h2>Article " + std::to_string(i) + "</h2>\n";
    for (unsigned k = 0; k < 6; ++k) page += "<p>" + sentences(i * 10 + k, 40) + "<a href=\"#\">more</a></p>\n";
    page += "</article>\n";
  }
  page += "</main>\n<aside><h3>Related</h3>\n";
  for (unsigned i = 0; i < 12; ++i)
    page += "<a href=\"/r\"><div class=\"card\">" + sentences(500 + i, 25) + "</div></a>\n";
  return page + "</aside>\n</div>\n<footer><p>" + sentences(700, 160) + "</p></footer>\n</body>\n</html>\n";
}

// A page of 1998: nested tables, fonts, nothing closed that need not be.
inline std::string table_page() {
  std::string page =
      "<HTML><HEAD><TITLE>Welcome</TITLE></HEAD>\n<BODY BGCOLOR=#FFFFFF TEXT=#000000>\n<CENTER><TABLE "
      "WIDTH=600 BORDER=0>"
      "\n<TR><TD COLSPAN=2><IMG SRC=logo.gif><FONT SIZE=+2><B>Welcome</B></FONT>\n<TR><TD WIDTH=120 "
      "VALIGN=top>\n";
  for (unsigned i = 0; i < 30; ++i)
    page += "<FONT SIZE=-1><A HREF=p" + std::to_string(i) + ".html>Page " + std::to_string(i) + "</A></FONT><BR>\n";
  page += "<TD VALIGN=top>\n";
  for (unsigned i = 0; i < 10; ++i) {
    page += "<TABLE CELLPADDING=4><TR><TD><FONT COLOR=red><B>News " + std::to_string(i) + "</FONT></B>\n<TR><TD>" +
            sentences(i, 60) + "<P>" + sentences(i + 50, 60) + "\n</TABLE>\n<HR>\n";
  }
  return page + "</TABLE></CENTER>\n<P>Last update: 12 May 1998\n</BODY></HTML>\n";
}

inline std::string broken_page() {
  std::string page =
      "<title>Broken</title><body><div><p>one<table>text<tr>more<td>cell</p><form><tr></form></div></b></i><li>";
  for (unsigned i = 0; i < 60; ++i) {
    page += "<b><p>" + sentences(i, 20) + "</b><i><div>x</i></p></span><td></table><a name=" + std::to_string(i) +
            "><h3><ul><li>a<li>b</h3><select><option>1<option>2<div></select><svg><p></svg>";
  }
  return page + "<!-- never closed <script>";
}

inline std::string frame_page() {
  return "<HTML><HEAD><TITLE>F</TITLE></HEAD><FRAMESET COLS=20%,*><FRAME SRC=menu.html NAME=menu><FRAME "
         "SRC=main.html>"
         "<NOFRAMES><BODY>" +
         repeat("<p>Your browser has no frames.</p>", 60) + "</BODY></NOFRAMES></FRAMESET></HTML>";
}

inline std::vector<std::string> sample_pages() {
  return {div_page(), table_page(), broken_page(), frame_page()};
}

}  // namespace blockarch
