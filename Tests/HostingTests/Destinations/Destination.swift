import Foundation
import Hosting
import Items
import Paging
import TestSupport
import Testing

/// A database of a test that is reached through a driver, or Parquet files, and how they are read back by others.
final class Destination {
  enum Kind: String, CaseIterable { case postgresql, duckdb, parquet }

  /// Whether all that it takes is installed.
  static let isPossible = PostgreSQLServer.isInstalled && TestDrivers.areInstalled
  static let need: Comment = "PostgreSQL or a driver is missing: scripts/bootstrap.sh --tests installs them"

  let kind: Kind
  /// What `-o` says.
  let output: String
  private let database: PostgreSQLDatabase?
  private let folder = TemporaryFolder()

  init(_ kind: Kind, arguments: String = "") throws {
    self.kind = kind
    database = kind == .postgresql ? try PostgreSQLServer.shared.makeDatabase() : nil
    output = database.map { $0.url() + arguments } ?? folder.file("out.\(kind.rawValue)")
  }

  /// A file, or Parquet files, as a run that was killed now would have left them.
  init(killing other: Destination) throws {
    (kind, database, output) = (other.kind, nil, folder.file("out.\(other.kind.rawValue)"))
    for name in other.folder.names {
      try FileManager.default.copyItem(atPath: other.folder.file(name), toPath: folder.file(name))
    }
  }

  /// The names of the files that are there.
  var names: [String] { folder.names }

  /// Writes deliveries in one run.
  func write(
    _ deliveries: [Item]..., idField: String? = "id", types: [String: String] = [:],
    _ change: (inout SinkConfiguration) -> Void = { _ in }
  ) throws -> SinkReport {
    try write(all: deliveries, idField: idField, types: types, change)
  }

  /// The same, of a list of them.
  func write(
    all deliveries: [[Item]], idField: String? = "id", types: [String: String] = [:],
    _ change: (inout SinkConfiguration) -> Void = { _ in }
  ) throws -> SinkReport {
    try write(deliveries.map { Delivery(items: $0) }, .whole, idField: idField, types: types, change)
  }

  /// The same, of deliveries of any kind, in a run that ends in that way.
  func write(
    _ deliveries: [Delivery], _ ending: SinkEnding, idField: String? = "id", types: [String: String] = [:],
    _ change: (inout SinkConfiguration) -> Void = { _ in }
  ) throws -> SinkReport {
    var configuration = SinkConfiguration(path: output)
    configuration.idField = idField
    change(&configuration)
    let place = try OutputPlace(configuration)
    place.declare(types.compactMapValues(DeclaredType.init), of: nil)
    let sink = LateSink(place)
    try sink.prepare()
    for delivery in deliveries { _ = sink.answer(delivery) }
    return sink.finish(ending)
  }

  /// The rows of a query as texts, with a bar between columns; NULL is `NULL`.
  func rows(_ sql: String) throws -> [String] {
    if let database {
      let lines = try database.run("\\pset null NULL\n\(sql);").split(separator: "\n")
      return lines.map(String.init).filter { !$0.hasPrefix("Null display") }
    }
    let source = kind == .parquet ? ":memory:" : output
    let view = "create view items as select * from read_parquet('\(output)')"
    let script = """
      import duckdb, sys
      database = duckdb.connect("\(source)")
      database.execute("set timezone = 'UTC'")
      if "\(kind.rawValue)" == "parquet": database.execute("\(view)")
      for row in database.execute(sys.stdin.read()).fetchall():
          print("|".join("NULL" if value is None else str(value) for value in row))
      """
    let text = try Destination.python(script, input: sql)
    return text.split(separator: "\n").map(String.init)
  }

  /// Names and types of the columns of `items`, as `name type`.
  func columns() throws -> [String] {
    try rows(
      "select column_name || ' ' || lower(data_type) from information_schema.columns where table_name = 'items' "
        + "order by ordinal_position")
  }

  /// Runs a script of Python and answers what it prints.
  static func python(_ script: String, input: String = "") throws -> String {
    let program = TestDrivers.folder.components(separatedBy: "/lib/")[0] + "/bin/python"
    let process = try Spawned(
      program, ["-c", script], environment: ProcessInfo.processInfo.environment, folder: "/")
    process.write(input)
    let output = FileHandle(fileDescriptor: process.output, closeOnDealloc: false).readDataToEndOfFile()
    let errors = FileHandle(fileDescriptor: process.errors, closeOnDealloc: false).readDataToEndOfFile()
    guard process.waitForExit() == 0 else {
      throw Unreadable(reason: String(decoding: errors, as: UTF8.self))
    }
    return String(decoding: output, as: UTF8.self)
  }
}

/// What Python said against a script.
struct Unreadable: Error { let reason: String }
