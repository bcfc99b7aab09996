// Calls what links each library that perfgate keeps to itself: {fmt} for texts, pugixml for JUnit.
#include <algorithm>
#include <iostream>

#include "perfgate/report/export.h"
#include "perfgate/report/refresh_text.h"

int main() {
  perfgate::Run run;
  const auto& formats = perfgate::export_formats();
  const auto junit = std::find_if(formats.begin(), formats.end(),
                                  [](const auto& format) { return format.name == "junit"; });
  std::cout << perfgate::refresh_text(run, "a reason") << junit->text_of({run, nullptr, false});
}
