import Glibc
import Items

/// A folder with drivers: libraries by their names, packages of Python, or manifests of driver managers.
struct DriverFolder {
  let path: String
  /// What is in it; nothing if it can't be read.
  let names: [String]

  init(_ path: String) {
    self.path = path
    names = path.hasPrefix("/") ? DriverFolder.names(in: path) : []
  }

  /// The drivers in it, sorted by their files.
  var drivers: [FoundDriver] {
    names.flatMap { name -> [FoundDriver] in
      let file = "\(path)/\(name)"
      if name.hasSuffix(".toml") { return DriverManifest(file: file).map { [$0.driver] } ?? [] }
      if name.hasPrefix("adbc_driver_") {
        return DriverFolder.driver(file: "\(file)/lib\(name).so", version: version(of: name)).map { [$0] }
          ?? []
      }
      // Its module lies beside its package, or within.
      let inside = name == "duckdb" ? DriverFolder(file) : nil
      let files = [file] + (inside?.names.filter(DriverFolder.isModule).map { "\(file)/\($0)" } ?? [])
      let version = version(of: "duckdb") ?? inside?.version(of: "duckdb")
      return files.compactMap { DriverFolder.driver(file: $0, version: version) }
    }
  }

  /// The driver in a file, by its name; nil if that is none of a driver, or not there.
  static func driver(file: String, version: String? = nil) -> FoundDriver? {
    let name = file.split(separator: "/").last.map(String.init) ?? ""
    guard name.hasSuffix(".so"), access(file, R_OK) == 0 else { return nil }
    if name == "libduckdb.so" { return FoundDriver(name: "duckdb", path: file) }
    if isModule(name) {
      return FoundDriver(name: "duckdb", path: file, version: version, python: python(for: file))
    }
    let prefix = "libadbc_driver_"
    guard name.hasPrefix(prefix) else { return nil }
    return FoundDriver(name: String(name.dropFirst(prefix.count).dropLast(3)), path: file, version: version)
  }

  /// Whether it is the module in which Python has DuckDB.
  private static func isModule(_ name: String) -> Bool {
    (name.hasPrefix("_duckdb.cpython-") || name.hasPrefix("duckdb.cpython-")) && name.hasSuffix(".so")
  }

  /// Python's library for a module named as `_duckdb.cpython-311-…`: the one of the Python that it was installed for, or else the
  /// system's, which has the same names.
  private static func python(for module: String) -> String {
    let digits = module.split(separator: "cpython-").last?.prefix { $0.isNumber } ?? ""
    let version = "\(digits.prefix(1)).\(digits.dropFirst())"
    let library = "libpython\(version).so.1.0"
    let known = DriverSearch.pythonLibraries.first { $0.hasSuffix("/\(library)") } ?? library
    guard let packages = module.firstRange(of: "/lib/python") else { return known }
    let prefix = String(module[..<packages.lowerBound])
    let base = DriverFolder.text(of: "\(prefix)/pyvenv.cfg").split(separator: "\n").first {
      $0.hasPrefix("home = ")
    }
    let prefixes = [prefix] + (base.map { [String($0.dropFirst(7).split(separator: "/bin")[0])] } ?? [])
    return prefixes.map { "\($0)/lib/\(library)" }.first { access($0, R_OK) == 0 } ?? known
  }

  /// The version of a package, as the name of the folder of its notes has it.
  private func version(of package: String) -> String? {
    let start = "\(package)-"
    let note = names.first { $0.hasPrefix(start) && $0.hasSuffix(".dist-info") }
    return note.map { String($0.dropFirst(package.count + 1).dropLast(10)) }
  }

  /// The text of a small file; empty if it can't be read.
  static func text(of file: String) -> String {
    (try? WholeFile.read(file))?.string ?? ""
  }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}

/// What a driver manager knows of a driver: a file of settings, named for it.
///
/// Of TOML it takes what these files have: sections, and texts in quotes.
private struct DriverManifest {
  let driver: FoundDriver

  /// Reads a manifest; nil if it names no library for this machine.
  init?(file: String) {
    var section = ""
    var values: [String: String] = [:]
    for line in DriverFolder.text(of: file).split(separator: "\n") {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.hasPrefix("[") {
        section = line.dropFirst().prefix { $0 != "]" } + "."
      } else if let equals = line.firstIndex(of: "=") {
        let key = line[..<equals].filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        let parts = line[equals...].split(whereSeparator: { $0 == "\"" || $0 == "'" })
        if parts.count > 1 { values[section + key] = String(parts[1]) }
      }
    }
    #if arch(x86_64)
      let machine = "linux_amd64"
    #else
      let machine = "linux_arm64"
    #endif
    guard let path = values["Driver.shared"] ?? values["Driver.shared.\(machine)"] else { return nil }
    let name = file.split(separator: "/").last.map { String($0.dropLast(5)) } ?? ""
    driver = FoundDriver(
      name: name, path: path, version: values["version"], entry: values["Driver.entrypoint"])
  }
}
