#include <sstream>
std::string text_of(double time_us) {
  std::ostringstream out;
  out << std::setprecision(3) << time_us;
  return out.str();
}
void read(std::istringstream& words, double& out) { words >> out; }
