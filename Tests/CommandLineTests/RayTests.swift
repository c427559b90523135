import Foundation
import Testing

/// The Python that `scripts/bootstrap.sh --ray` installs.
private let python = Repository.root.path + "/scripts/ray/.venv/bin/python"

/// Partitions that are read on a Ray cluster; left out unless `scripts/bootstrap.sh --ray` has installed it.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: python))) struct RayTests {
  @Test func `after five kinds of fault in a Ray cluster the rows are those of one undisturbed process`()
    throws
  {
    let seed = Int.random(in: 1...1_000_000)
    let result = try Self.command(
      "faults.py --accounts 40 --pages 10 --rate 60 --seed \(seed) --lookahead \(Repository.binary)"
    ).run()

    #expect(result.exitCode == 0, "seed \(seed)\n\(result.output)\n\(result.errors)")
    #expect(result.output.components(separatedBy: "ok   ").count == 10, "\(result.output)")
  }

  @Test func `the gate, the waves, the command line and the workers of lookahead-ray hold their promises`()
    throws
  {
    var command = Self.command("-m pytest .")
    command.environment["LOOKAHEAD"] = Repository.binary
    let result = try command.run()

    #expect(result.exitCode == 0, "\(result.output)\n\(result.errors)")
  }

  @Test func `lookahead-ray has the types that it says`() throws {
    let result = try Self.command(
      "-m mypy --cache-dir /dev/null --config-file ../pyproject.toml ../lookahead_ray"
    ).run()

    #expect(result.exitCode == 0, "\(result.output)\n\(result.errors)")
  }

  private static func command(_ arguments: String) -> Command {
    var command = Command("/bin/sh", ["-c", "exec '\(python)' \(arguments)"])
    command.folder = Repository.root.path + "/scripts/ray/tests"
    command.minutes = 10
    return command
  }
}
