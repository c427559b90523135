import Foundation
import TestSupport
import Testing

@Suite(.waiting) struct DriversTests {
  private struct Driver: Decodable {
    let name: String
    let state: String
    let version: String
    let path: String
    let text: String
  }

  /// A machine without any drivers, as far as variables say.
  private func bare(_ arguments: [String], _ scratch: Scratch) -> Command {
    var command = Command.lookahead(arguments).within(scratch)
    command.environment = [
      "HOME": scratch.path, "XDG_DATA_HOME": "", "ADBC_DRIVER_PATH": "", "VIRTUAL_ENV": "",
      "LD_LIBRARY_PATH": "",
      "PATH": "/usr/bin:/bin", "LOOKAHEAD_DRIVERS": "",
    ]
    return command
  }

  @Test func `what is missing has the command that installs it`() throws {
    let scratch = try Scratch()

    let result = try bare(["drivers"], scratch).run()

    #expect(result.exitCode == 0)
    #expect(result.output.contains("missing: lookahead drivers install postgresql"))
    #expect(
      result.output.contains("\(scratch.path)/.local/share/lookahead/drivers  (lookahead drivers install)"))
  }

  @Test func `without a driver a script ends with 73 and says what to do`() throws {
    let scratch = try Scratch(script: "lookahead.database.open('postgresql://me@127.0.0.1/x')")

    let result = try bare(["run", "feed.lua", "--allow-net=127.0.0.1"], scratch).run()

    #expect(result.exitCode == 73)
    #expect(result.errors.contains("feed.lua:1: there is no driver for PostgreSQL on this machine"))
    #expect(result.errors.contains("run: lookahead drivers install postgresql"))
  }

  @Test func `without drivers all else works`() throws {
    let scratch = try Scratch(script: Scripts.numbers)

    let result = try bare(["run", "feed.lua", "--max-pages", "1"], scratch).run()

    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test(
    .enabled(if: TestDrivers.areInstalled, "no drivers: scripts/bootstrap.sh --tests installs them"))
  func `drivers are found in a folder, and tried`() throws {
    let scratch = try Scratch()
    try scratch.write("bad/libadbc_driver_odd.so", "no library")
    var command = bare(["drivers", "--format", "json"], scratch)
    command.environment["LOOKAHEAD_DRIVERS"] = "\(scratch.path)/bad:\(TestDrivers.folder)"

    let result = try command.run()

    let drivers = try JSONDecoder().decode([Driver].self, from: Data(result.output.utf8))
    #expect(drivers.map(\.name).prefix(2) == ["postgresql", "duckdb"])
    #expect(drivers.prefix(2).allSatisfy { $0.state == "ok" && !$0.version.isEmpty }, "\(result.output)")
    #expect(drivers.first { $0.name == "odd" }?.state == "broken")
  }

  @Test(
    .enabled(if: TestDrivers.areInstalled, "no drivers: scripts/bootstrap.sh --tests installs them"))
  func `a driver that was installed here has the version of its package`() throws {
    let scratch = try Scratch()
    let own = ".local/share/lookahead/drivers/duckdb"
    try scratch.write("\(own)/duckdb-9.8.7.dist-info/METADATA", "")
    let module = URL(fileURLWithPath: TestDrivers.duckDB)
    try FileManager.default.createSymbolicLink(
      atPath: "\(scratch.path)/\(own)/\(module.lastPathComponent)", withDestinationPath: module.path)

    let result = try bare(["drivers", "--format", "json"], scratch).run()

    let drivers = try JSONDecoder().decode([Driver].self, from: Data(result.output.utf8))
    #expect(drivers.first { $0.name == "duckdb" }?.version == "9.8.7", "\(result.output)")
  }

  @Test(
    .enabled(if: TestDrivers.areInstalled, "no drivers: scripts/bootstrap.sh --tests installs them"))
  func `a manifest of a driver manager names a driver`() throws {
    let scratch = try Scratch()
    try scratch.write(
      ".config/adbc/drivers/postgresql.toml",
      "name = 'PostgreSQL'\nversion = \"9.9.9\"\n\n[Driver.shared]\nlinux_amd64 = \"\(TestDrivers.postgresql)\"\nlinux_arm64 = \"\(TestDrivers.postgresql)\"\n"
    )

    let result = try bare(["drivers", "--format", "json"], scratch).run()

    let drivers = try JSONDecoder().decode([Driver].self, from: Data(result.output.utf8))
    #expect(drivers.first?.path == TestDrivers.postgresql)
    #expect(drivers.first?.version == "9.9.9")
    #expect(drivers.first?.state == "ok")
  }

  @Test(arguments: [
    ["install"], ["install", "oracle"], ["remove", "duckdb"], ["install", "duckdb", "sqlite"],
  ])
  func `what can't be installed is a mistake of use`(words: [String]) throws {
    let result = try Command.lookahead(["drivers"] + words).run()

    #expect(result.exitCode == 64)
  }

  /// A pip that unpacks what it is told to, in place of the one that needs the network.
  @Test(
    .enabled(if: TestDrivers.areInstalled, "no drivers: scripts/bootstrap.sh --tests installs them"))
  func `a driver is installed into a folder of its own, once it loads`() throws {
    let scratch = try Scratch()
    let pip = """
      #!/bin/sh
      while [ "$1" != --target ]; do shift; done
      mkdir -p "$2/adbc_driver_postgresql" && cp -L "$SOURCE" "$2/adbc_driver_postgresql/libadbc_driver_postgresql.so"
      """
    try scratch.write("bin/python3", pip)
    try scratch.makePrograms("bin/python3")
    func install(_ source: String) throws -> CommandResult {
      var command = bare(["drivers", "install", "postgresql"], scratch)
      command.environment["PATH"] = "\(scratch.path)/bin:/usr/bin:/bin"
      command.environment["SOURCE"] = source
      return try command.run()
    }

    let broken = try install("/etc/hostname")
    let whole = try install(TestDrivers.postgresql)
    let listed = try bare(["drivers", "--format", "json"], scratch).run()

    #expect(broken.exitCode == 73)
    #expect(broken.errors.contains("is not installed"))
    #expect(!broken.errors.contains("pip did not install it"), "\(broken.errors)")
    #expect(whole.exitCode == 0, "\(whole.errors)")
    #expect(whole.output.contains("--target \(scratch.path)/.local/share/lookahead/drivers/postgresql.new"))
    let drivers = try JSONDecoder().decode([Driver].self, from: Data(listed.output.utf8))
    #expect(
      drivers.first?.path.hasPrefix("\(scratch.path)/.local/share/lookahead/drivers/postgresql/") == true)
  }
}
