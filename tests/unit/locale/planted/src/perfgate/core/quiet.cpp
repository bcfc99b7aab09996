// strtod(text), std::stod(text) and printf("%f") are only spoken of here.
/* std::ostringstream
   too */
#include <string>
std::string text_of(int count) { return std::to_string(count) + fmt::format("{:>5}", "L}"); }
std::string rounded(double time_us) { return std::to_string(std::llround(time_us)); }
int kib(int bytes) { return (bytes >> 10) + (0x7fU >> bytes); }
bool next(std::istringstream& lines, std::string& line) { return bool(std::getline(lines, line)); }
