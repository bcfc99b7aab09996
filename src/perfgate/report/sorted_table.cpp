#include "perfgate/report/sorted_table.h"

#include <algorithm>
#include <vector>

#include "perfgate/report/table.h"

namespace perfgate {

std::string table_by_change(const Run& run, bool colour, std::size_t columns) {
  std::vector<const Outcome*> judged;
  for (const auto& outcome : run.outcomes) {
    if (outcome.deciding() != nullptr) {
      judged.push_back(&outcome);
    }
  }
  if (judged.empty()) {
    return "";
  }
  std::stable_sort(judged.begin(), judged.end(), [](const Outcome* a, const Outcome* b) {
    return a->deciding()->change > b->deciding()->change;
  });
  Table table(colour, columns);
  std::string out = "\n  by change, worst first\n" + table.column_heads();
  int number = 0;
  for (const Outcome* outcome : judged) {
    out += table.row(*outcome, ++number, static_cast<int>(judged.size()));
  }
  return out;
}

}  // namespace perfgate
