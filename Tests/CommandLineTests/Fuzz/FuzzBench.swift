import Foundation

/// What the fuzzer's scripts find around them: a folder with files of all kinds, and the texts that scripts are made of.
struct FuzzBench {
  let script: FuzzScript
  let values: FuzzValues
  /// Functions of Lua's own libraries that scripts have.
  let library: [String]
  private let scratch: Scratch

  init(server: String) throws {
    scratch = try Scratch()
    values = FuzzValues(try Self.text("values"))
    script = FuzzScript(
      values: values, harness: try Self.text("harness"), objects: try Self.text("objects"), server: server)
    try scratch.write("notes.txt", "hello\n")
    try scratch.write("rows.csv", "id,name\n1,one\n")
    mkfifo("\(scratch.path)/pipe", 0o600)
    try scratch.write("sparse.bin", "")
    truncate("\(scratch.path)/sparse.bin", 20 << 30)
    try scratch.write("feed.lua", Self.beginning)
    let ending = try FuzzProcess(
      arguments: ["run", "feed.lua", "--allow-read=.", "--allow-write=."], folder: scratch.path
    ).run()
    library = ending.text.split(separator: "\n").filter { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
  }

  var folder: String { scratch.path }

  /// A file of the folder `Cases/fuzz`.
  static func text(_ name: String) throws -> String {
    try Repository.text("Tests/CommandLineTests/Cases/fuzz/\(name).lua")
  }

  /// Makes a database, and lists what scripts have of Lua.
  private static let beginning = """
    local database = lookahead.sqlite.open("small.db", { readOnly = false })
    database:execute("create table items (id integer primary key, name text)")
    database:execute("insert into items values (1, 'one'), (2, 'two')")
    database:close()
    lookahead.database.open("small.duckdb", { readOnly = false }):close()
    local names = "assert collectgarbage error getmetatable ipairs load next pairs pcall print rawequal rawget rawlen rawset "
      .. "require select setmetatable tonumber tostring type xpcall coroutine math os string table utf8"
    for name in names:gmatch("%a+") do
      local value = _ENV[name]
      if type(value) == "function" then print("- " .. name) end
      for field, inner in pairs(type(value) == "table" and value or {}) do
        if type(inner) == "function" then print("- " .. name .. "." .. field) end
      end
    end
    """
}
