import Foundation
import TestSupport
import Testing

/// Runs that are killed at random moments, with a server that fails now and then.
@Suite(.waiting) struct KillTests {
  @Test(arguments: ["db", "ndjson", "csv", "json", "folder"])
  func `after any kill the finished output is that of an undisturbed run`(sink: String) throws {
    let seed = Int.random(in: 1...1_000_000)
    let result = try Command.harness("kills.py --kills 4 --seed \(seed) --sinks \(sink)").run()

    #expect(result.exitCode == 0, "seed \(seed)\n\(result.output)\n\(result.errors)")
  }

  /// Packing knows nothing of sources: a few kinds of them are enough.
  @Test(arguments: ["ndjson.gz", "csv.gz", "json.zst", "csv.zst"])
  func `it is so where the text is packed`(sink: String) throws {
    let seed = Int.random(in: 1...1_000_000)
    let kinds = "'counted keys,cursor,append,steps,refresh'"
    let line = "kills.py --kills 2 --seed \(seed) --sinks \(sink) --kinds \(kinds)"
    let result = try Command.harness(line).run()

    #expect(result.exitCode == 0, "seed \(seed)\n\(result.output)\n\(result.errors)")
  }

  @Test(
    .enabled(
      if: PostgreSQLServer.isInstalled && TestDrivers.areInstalled, Comment(rawValue: PostgreSQLServer.need)),
    arguments: ["postgresql", "duckdb", "parquet"])
  func `it is so where a driver writes, also after the server was killed`(sink: String) throws {
    let seed = Int.random(in: 1...1_000_000)
    var command = Command.harness("kills.py --kills 3 --seed \(seed) --sinks \(sink)")
    command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
    let result = try command.run()

    #expect(result.exitCode == 0, "seed \(seed)\n\(result.output)\n\(result.errors)")
  }

  @Test(
    .enabled(
      if: PostgreSQLServer.isInstalled && TestDrivers.areInstalled, Comment(rawValue: PostgreSQLServer.need)),
    arguments: ["workers.py --rounds 2", "away.py"])
  func `several workers write one table, and a server goes away while it is written`(harness: String) throws {
    let seed = Int.random(in: 1...1_000_000)
    var command = Command.harness("\(harness) --seed \(seed)")
    command.environment["LOOKAHEAD_DRIVERS"] = TestDrivers.folder
    let result = try command.run()

    #expect(result.exitCode == 0, "seed \(seed)\n\(result.output)\n\(result.errors)")
  }

  @Test func `nightly copies of real servers equal them, changed between runs and killed in one`() throws {
    let seed = Int.random(in: 1...1_000_000)
    let result = try Command.harness("nightly.py --seed \(seed)").run()

    #expect(result.exitCode == 0, "\(result.output)\n\(result.errors)")
    #expect(result.output.components(separatedBy: "equal").count == 10, "\(result.output)")
  }
}
