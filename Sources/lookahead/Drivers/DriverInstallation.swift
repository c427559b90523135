import Glibc
import Hosting

/// Getting a driver from PyPI into a folder of our own, by the pip that is there.
///
/// It is put beside what may be there already, tried, and only then put in its place.
struct DriverInstallation {
  private let kind: DriverKind
  private let folder: String

  init(_ kind: DriverKind) {
    self.kind = kind
    folder = DriverSearch.ownFolder() + "/" + kind.rawValue
  }

  /// Installs it; an error has been shown when it throws.
  func run() throws(RunExit) {
    let new = folder + ".new"
    let arguments = try command(into: new)
    StandardOutput.show(
      "installs the driver for \(kind.title), the package \(kind.package) of PyPI, into\n  \(folder)\nby\n  "
        + arguments.joined(separator: " "))
    _ = DriverProcess.run(["rm", "-rf", new])
    guard DriverProcess.run(["mkdir", "-p", new]) == 0 else {
      throw failed("the folder \(new) can't be made")
    }
    guard DriverProcess.run(arguments) == 0 else {
      _ = DriverProcess.run(["rm", "-rf", new])
      throw failed(
        "pip did not install it. It needs the network, and Python's pip (python3-pip on Debian); a wheel of \(kind.package) "
          + "that is unpacked into a folder that LOOKAHEAD_DRIVERS names does as well")
    }
    try check(new)
    _ = DriverProcess.run(["rm", "-rf", folder])
    guard rename(new, folder) == 0 else { throw failed("\(new) can't be renamed") }
    let found = DriverSearch().driver(named: kind.rawValue)
    StandardOutput.show("it is there, and loads: \(kind.title)\(found?.version.map { " \($0)" } ?? "")")
    if let found, !found.path.hasPrefix(folder) {
      StandardOutput.show("but another comes before it: \(found.path)")
    }
  }

  private func check(_ place: String) throws(RunExit) {
    var environment = DriverSearch.environment
    environment["LOOKAHEAD_DRIVERS"] = place
    guard let found = DriverSearch(environment: environment).driver(named: kind.rawValue),
      found.path.hasPrefix(place)
    else { throw failed("the package has no driver in it") }
    do throws(ADBCError) {
      _ = try found.load()
    } catch {
      _ = DriverProcess.run(["rm", "-rf", place])
      throw failed(error.message)
    }
  }

  /// The package of DuckDB is a module of one version of Python, and needs that one's library.
  private func command(into place: String) throws(RunExit) -> [String] {
    var arguments = ["python3", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    arguments += ["--no-deps", "--only-binary=:all:", "--target", place]
    if kind == .duckdb {
      guard let version = DriverSearch().pythonLibraryVersion else {
        throw failed(
          "its package is a module of Python, and needs Python's library, which is not here: install libpython3 "
            + "(libpython3.11 on Debian 12), or put a libduckdb.so into a folder that LOOKAHEAD_DRIVERS names"
        )
      }
      arguments += ["--implementation", "cp", "--python-version", version]
    }
    return arguments + [kind.package]
  }

  private func failed(_ reason: String) -> RunExit {
    standardError("error: the driver for \(kind.title) is not installed: \(reason)")
    return .output
  }
}

/// A program that is waited for; what it says goes to standard error.
enum DriverProcess {
  /// Its exit code, or 127 if it does not start; why is said.
  static func run(_ arguments: [String]) -> Int32 {
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    var child = pid_t()
    let problem = posix_spawnp(&child, arguments[0], &actions, nil, &words, environ)
    guard problem == 0 else {
      standardError("\(arguments[0]): \(String(cString: strerror(problem)))")
      return 127
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128
  }
}
