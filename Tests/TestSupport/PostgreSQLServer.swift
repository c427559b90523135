import Foundation

/// A PostgreSQL of these tests alone, which starts with the first test that needs it and lives as long as they do.
///
///     @Suite(.enabled(if: PostgreSQLServer.isInstalled, PostgreSQLServer.need)) struct …
///     let database = try PostgreSQLServer.shared.makeDatabase()
///     try database.run("create table items (id bigint primary key)")
public final class PostgreSQLServer: Sendable {
  public static let shared = PostgreSQLServer()

  /// Whether the server's programs and psql are there.
  public static let isInstalled: Bool = {
    let found = try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
    return found?.isEmpty == false && FileManager.default.isExecutableFile(atPath: "/usr/bin/psql")
  }()

  /// What a skipped test says.
  public static let need = "PostgreSQL is not installed: scripts/bootstrap.sh --tests does that"

  public let port: Int
  /// Of its socket.
  public let folder: String
  /// Kept, since the server ends when its standard input is closed; nothing but these tests holds that open.
  private let process: Spawned

  private init() {
    let script =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
      + "/Servers/postgresql_server.py"
    guard
      let process = try? Spawned(
        "python3", [script, "--follow-stdin"], environment: ProcessInfo.processInfo.environment, folder: "/")
    else { preconditionFailure("PostgreSQL did not start") }
    let lines = FileHandle(fileDescriptor: process.output, closeOnDealloc: false)
    guard let port = Int(Self.line(of: lines)) else { preconditionFailure("PostgreSQL did not start") }
    self.port = port
    folder = Self.line(of: lines)
    self.process = process
  }

  /// A new and empty database.
  public func makeDatabase() throws -> PostgreSQLDatabase {
    let name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
    let database = PostgreSQLDatabase(name: name, server: self)
    try PostgreSQLDatabase(name: "postgres", server: self).run("create database \(name)")
    return database
  }

  private static func line(of file: FileHandle) -> String {
    var line: [UInt8] = []
    while let byte = try? file.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }
}

/// A database of the server.
public struct PostgreSQLDatabase: Sendable {
  public let name: String
  public let server: PostgreSQLServer

  /// How it is reached; all users but `guarded` need no password.
  public func url(user: String = "postgres") -> String {
    "postgresql://\(user)@127.0.0.1:\(server.port)/\(name)"
  }

  /// Runs SQL by psql and answers what it prints: a line a row, columns separated by `|`.
  @discardableResult
  public func run(_ sql: String) throws -> String {
    let psql = try Spawned(
      "psql",
      [
        "-qAtX", "-v", "ON_ERROR_STOP=1", "-h", server.folder, "-p", "\(server.port)", "-U", "postgres", "-d",
        name,
      ],
      environment: ProcessInfo.processInfo.environment, folder: "/")
    psql.write(sql)
    let output = FileHandle(fileDescriptor: psql.output, closeOnDealloc: false).readDataToEndOfFile()
    let errors = FileHandle(fileDescriptor: psql.errors, closeOnDealloc: false).readDataToEndOfFile()
    guard psql.waitForExit() == 0 else {
      throw SpawnFailure(program: "psql", reason: String(decoding: errors, as: UTF8.self))
    }
    return String(decoding: output, as: UTF8.self)
  }
}
