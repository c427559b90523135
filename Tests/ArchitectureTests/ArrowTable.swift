/// Who may import whom: the table of the design. Whatever is not in it is not allowed.
enum ArrowTable {
  /// What a Swift target may import besides the standard library.
  static let imports: [String: Set<String>] = [
    "Text": ["CText"],
    "Items": [],
    "Paging": ["Items", "HeapModule"],
    "Listing": ["Paging", "Items"],
    "JSON": ["Items", "Text", "CJSON"],
    "Lua": ["CLua", "CJSON", "CLuaJSON", "Synchronization"],
    "Experiments": ["Paging", "Items"],
    "Scripting": ["Lua", "Listing", "Experiments", "Paging", "Items", "JSON", "DequeModule"],
    "Hosting": [
      "Listing", "Paging", "Items", "JSON", "Text", "CADBC", "CCage", "CCurl", "CCrypto", "CPacking",
      "CSQLite",
      "CXML",
      "Glibc", "Synchronization",
    ],
    "Simulation": ["Experiments", "Paging", "Items", "JSON", "Glibc"],
    "Reports": ["Experiments", "Paging", "Items", "JSON", "Text"],
    "Serving": ["NIOCore", "NIOHTTP1", "NIOPosix", "Glibc"],
    "Terminal": ["Listing", "Paging", "Items", "JSON", "Text", "CTerminal"],
    "lookahead": [
      "Scripting", "Hosting", "Simulation", "Reports", "Serving", "Terminal", "Lua", "Listing", "Experiments",
      "Paging", "Items", "JSON", "Text", "ArgumentParser", "Glibc", "Synchronization",
    ],
  ]

  /// The folders of headers that a C target may take from the system, besides the languages' own.
  static let headers: [String: Set<String>] = [
    "PreludeCompiler": ["lua5.4"],
    "CLua": ["lua5.4", "pthread.h", "signal.h", "sys", "unistd.h"],
    "CJSON": ["simdjson.h", "CJSON.h", "CJSONPassing.h", "cjson"],
    "CLuaJSON": ["lua5.4", "CJSON.h", "cjson"],
    "CCage": [
      "dirent.h", "fcntl.h", "link.h", "linux", "malloc.h", "netinet", "sched.h", "signal.h", "sys",
      "termios.h",
      "unistd.h",
    ],
    "CADBC": ["dlfcn.h", "CADBC.h", "adbc.h", "rows.h", "CJSONPassing.h"],
    "CCurl": [
      "curl", "dlfcn.h", "libdeflate.h", "zlib.h", "pthread.h", "poll.h", "netinet", "sys", "unistd.h",
    ],
    "CCrypto": ["openssl"],
    "CPacking": ["zlib.h", "zstd.h"],
    "CSQLite": ["sqlite3.h", "CJSON.h", "CJSONPassing.h"],
    "CXML": ["expat.h"],
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
    "memory", "new", "type_traits", "ctype.h", "errno.h", "limits.h", "math.h", "stdarg.h", "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h", "stdio.h", "stdlib.h", "string.h", "time.h",
  ]
}
