import Glibc
import Paging
import Synchronization

/// The drivers that this process has loaded, by their names.
///
/// A script's process loses the right to load libraries before the first line of the script. So those that the text of a script
/// speaks of are loaded before, and nothing is for a script that never says `database`.
public final class LoadedDrivers: Sendable {
  /// Those of this process.
  public static let shared = LoadedDrivers()

  private enum Loading {
    case loaded(ADBCDriver)
    case failed(String)
  }

  private struct State {
    var drivers: [String: Loading] = [:]
    /// What was found and left alone, since the script does not speak of it.
    var left: Set<String> = []
  }

  private let state = Mutex(State())

  /// Loads what the script may need: drivers that the texts name, or those of servers and files if they name none, since the address
  /// may come from elsewhere. The texts are the script, its modules and its parameters.
  public func prepare(for texts: [String]) {
    guard texts.contains(where: LoadedDrivers.isNeeded) else { return }
    let named = DriverKind.allCases.filter { kind in texts.contains { kind.isNamed(in: $0) } }
    let search = DriverSearch()
    for kind in named.isEmpty ? [.postgresql, .duckdb] : named { _ = find(kind.rawValue, search) }
    let found = search.drivers.map(\.name)
    state.withLock { state in
      for name in found where state.drivers[name] == nil { state.left.insert(name) }
    }
    PasswordFile.shared.read()
    ServiceFile.shared.read()
  }

  /// Whether the text speaks of databases with drivers; looked for in bytes, since each start does.
  private static func isNeeded(for text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      ["lookahead.database", ".database.open"].contains { name in
        UnsafeRawBufferPointer(bytes).firstPlace(after: Array(name.utf8)) != nil
      }
    }
  }

  /// The files that loaded drivers read themselves, and a script does not.
  public var neededPaths: [String] {
    let loaded = state.withLock { state in
      state.drivers.filter { if case .loaded = $0.value { true } else { false } }.keys.compactMap(
        DriverKind.init)
    }
    return loaded.flatMap(LoadedDrivers.neededPaths).filter { access($0, R_OK) == 0 }
  }

  /// Limits of memory and processors for DuckDB; certificates and the names of servers, but neither keys nor passwords, for
  /// PostgreSQL.
  private static func neededPaths(of kind: DriverKind) -> [String] {
    switch kind {
    case .duckdb: return ["/proc/self/cgroup", "/sys/fs/cgroup"]
    case .postgresql:
      let home = getenv("HOME").map { String(cString: $0) } ?? ""
      return ["\(home)/.postgresql/root.crt", "\(home)/.postgresql/root.crl"] + ServiceFile.paths
    case .sqlite: return []
    }
  }

  /// The driver of that name, loaded if it is not yet; says what to do if there is none.
  func driver(named name: String) throws(HostFailure) -> ADBCDriver {
    switch find(name, DriverSearch()) {
    case .loaded(let driver): return driver
    case .failed(let reason): throw HostFailure(.noDriver, reason)
    case nil: throw HostFailure(.noDriver, LoadedDrivers.missing(name))
    }
  }

  /// What to say where a driver is missing.
  public static func missing(_ name: String) -> String {
    let kind = DriverKind(rawValue: name)
    let advice =
      kind == nil
      ? "put libadbc_driver_\(name).so into a folder that LOOKAHEAD_DRIVERS names"
      : "run: lookahead drivers install \(name)"
    return
      "there is no driver for \(kind?.title ?? name) on this machine; \(advice) (lookahead drivers shows where it looked)"
  }

  private func find(_ name: String, _ search: DriverSearch) -> Loading? {
    state.withLock { state in
      if case .loaded? = state.drivers[name] { return state.drivers[name] }
      guard let found = search.driver(named: name) else {
        return state.drivers[name] ?? (state.left.contains(name) ? .failed(LoadedDrivers.tooLate(name)) : nil)
      }
      do throws(ADBCError) {
        state.drivers[name] = .loaded(try found.load())
      } catch {
        state.drivers[name] = .failed(
          state.left.contains(name) ? LoadedDrivers.tooLate(name) : "\(found.path): \(error.message)")
      }
      return state.drivers[name]
    }
  }

  private static func tooLate(_ name: String) -> String {
    "the driver \(name) is loaded before the script is, if the script speaks of it: write \(name) into a comment of the script"
  }
}

/// The passwords of PostgreSQL's users that a person keeps in a file, as libpq knows it (`PGPASSFILE`, or `~/.pgpass`).
///
/// Read before a script is: later the file is out of reach, as it should be.
final class PasswordFile: Sendable {
  static let shared = PasswordFile()

  /// Nil until it was looked for.
  private let lines = Mutex<[[String]]?>(nil)

  /// Reads the file, unless others could read it too, which libpq refuses as well.
  func read() {
    lines.withLock { $0 = $0 ?? [] }
    let path =
      getenv("PGPASSFILE").map { String(cString: $0) }
      ?? getenv("HOME").map { String(cString: $0) + "/.pgpass" }
    var status = stat()
    guard let path, stat(path, &status) == 0, status.st_mode & (S_IRWXG | S_IRWXO) == 0 else { return }
    let read = DriverFolder.text(of: path).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map(PasswordFile.fields)
    lines.withLock { $0 = read.filter { $0.count == 5 } }
  }

  /// The password of the first line that fits; each of its fields may be `*`.
  func password(host: String, port: Int, database: String, user: String) -> String? {
    if lines.withLock({ $0 == nil }) { read() }
    let wanted = [host, String(port), database, user]
    return lines.withLock { lines in
      (lines ?? []).first { line in zip(line, wanted).allSatisfy { $0 == "*" || $0 == $1 } }?[4]
    }
  }

  /// The fields of a line, separated by colons; a backslash takes the next character as it is.
  private static func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isEscaped = false
    for character in line {
      if !isEscaped, character == "\\" {
        isEscaped = true
        continue
      }
      if !isEscaped, character == ":", fields.count < 5 {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
      isEscaped = false
    }
    return fields
  }
}
