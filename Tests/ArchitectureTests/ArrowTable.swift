/// Who may import whom: the table of the design. Whatever is not in it is not allowed.
enum ArrowTable {
  /// What a Swift target may import besides the standard library.
  static let imports: [String: Set<String>] = [
    "Text": ["CText"],
    "Items": [],
    "Paging": ["Items", "HeapModule"],
    "Listing": ["Paging", "Items"],
    "Lua": ["CLua", "CJSON", "Synchronization"],
    "Scripting": ["Lua", "Listing", "Paging", "Items"],
    "Hosting": [
      "Listing", "Paging", "Items", "Text", "CCage", "CCurl", "CCrypto", "CSQLite", "GRDB", "GRDBSQLite",
      "Glibc",
      "Synchronization",
    ],
    "Simulation": ["Paging", "Items", "Text", "Glibc"],
    "Terminal": ["Listing", "Paging", "Items", "Text", "CTerminal"],
    "lookahead": [
      "Scripting", "Hosting", "Simulation", "Terminal", "Lua", "Listing", "Paging", "Items", "Text",
      "ArgumentParser",
      "Glibc",
      "Synchronization",
    ],
  ]

  /// The folders of headers that a C target may take from the system, besides the languages' own.
  static let headers: [String: Set<String>] = [
    "CLua": ["lua5.4", "pthread.h", "signal.h", "sys", "unistd.h"],
    "CJSON": ["lua5.4", "simdjson.h"],
    "CCage": [
      "dirent.h", "fcntl.h", "linux", "netinet", "sched.h", "signal.h", "sys", "termios.h", "unistd.h",
    ],
    "CCurl": ["curl", "zlib.h", "pthread.h", "poll.h"],
    "CCrypto": ["openssl"],
    "CSQLite": ["sqlite3.h"],
    "CText": ["utf8proc.h"],
    "CTerminal": [
      "curses.h", "fcntl.h", "histedit.h", "langinfo.h", "poll.h", "signal.h", "sys", "term.h", "termios.h",
      "unistd.h",
      "wchar.h",
    ],
  ]

  /// Headers of C and C++ themselves.
  static let languageHeaders: Set = [
    "algorithm", "atomic", "cctype", "charconv", "cmath", "cstdarg", "cstddef", "cstdint", "cstdio",
    "cstdlib",
    "cstring",
    "new", "type_traits", "errno.h", "limits.h", "math.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h",
    "stdint.h", "stdio.h", "stdlib.h", "string.h", "time.h",
  ]
}
