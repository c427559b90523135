// What simdjson alone takes to turn a file {"items":[…]} into lines: On-Demand finds each item, its raw bytes are written.
//   c++ -O2 -std=c++17 -o json_floor json_floor.cpp -lsimdjson && ./json_floor page.json items.ndjson
#include <simdjson.h>
#include <cstdio>

int main(int count, char **words) {
  if (count != 3) { fprintf(stderr, "usage: json_floor FILE OUTPUT\n"); return 64; }
  simdjson::padded_string text;
  if (simdjson::padded_string::load(words[1]).get(text)) { fprintf(stderr, "%s can't be read\n", words[1]); return 66; }
  FILE *output = fopen(words[2], "w");
  if (!output) { perror(words[2]); return 73; }
  static char buffer[1 << 18];
  setvbuf(output, buffer, _IOFBF, sizeof buffer);
  simdjson::ondemand::parser parser;
  try {
    auto document = parser.iterate(text);
    for (auto item : document["items"]) {
      std::string_view raw = simdjson::to_json_string(item);
      fwrite(raw.data(), 1, raw.size(), output);
      fputc('\n', output);
    }
  } catch (const simdjson::simdjson_error &error) {
    fprintf(stderr, "%s: %s\n", words[1], error.what());
    return 65;
  }
  return fclose(output) ? 73 : 0;
}
