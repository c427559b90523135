import Foundation
import Testing

/// What is not in the program cannot be reached, whatever a script finds.
@Suite(.waiting) struct SymbolTests {
  /// The names of all functions in the program, its own and those that it takes from libraries.
  private static func symbols() throws -> Set<String> {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["nm", "--format=posix", Repository.binary]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Set(text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
  }

  @Test func `Lua's ways to files, processes, libraries and its own inside are not in the program`() throws {
    let symbols = try Self.symbols()

    #expect(symbols.contains("lua_newstate") && symbols.contains("luaopen_string"))
    let wrong = [
      "luaopen_io", "luaopen_os", "luaopen_package", "luaopen_debug", "luaL_openlibs", "os_execute",
      "os_exit", "os_getenv",
      "os_remove", "os_rename", "os_tmpname", "io_open", "io_popen", "io_lines", "ll_loadlib", "lookforfunc",
      "db_getinfo",
      "db_setmetatable", "db_getregistry", "db_sethook", "db_upvalueid",
    ].filter(symbols.contains)
    #expect(wrong == [])
  }
}
