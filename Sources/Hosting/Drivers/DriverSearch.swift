import Glibc

/// Looks for drivers on this machine: by the names of files, without loading anything and without asking Python.
///
///     let search = DriverSearch()
///     search.driver(named: "postgresql")?.path
public struct DriverSearch: Sendable {
  /// A place where drivers may be.
  public struct Place: Sendable, Equatable {
    public let path: String
    /// Why it is looked at, such as `LOOKAHEAD_DRIVERS`.
    public let reason: String
  }

  /// Where it looks, in this order; the first driver of a name is the one.
  public let places: [Place]

  /// A search in the usual places, by the variables of an environment.
  public init(environment: [String: String] = DriverSearch.environment) {
    let home = environment["HOME"] ?? ""
    func listed(_ variable: String) -> [Place] {
      (environment[variable] ?? "").split(separator: ":").map { Place(path: String($0), reason: variable) }
    }
    var places = listed("LOOKAHEAD_DRIVERS")
    places.append(Place(path: DriverSearch.ownFolder(environment), reason: "lookahead drivers install"))
    places += listed("ADBC_DRIVER_PATH")
    for path in ["\(home)/.config/adbc/drivers", "/etc/adbc/drivers"] {
      places.append(Place(path: path, reason: "ADBC"))
    }
    if let environment = environment["VIRTUAL_ENV"] {
      places += DriverSearch.packages(below: environment).map { Place(path: $0, reason: "VIRTUAL_ENV") }
    }
    places += DriverSearch.pythons(environment["PATH"] ?? "").flatMap { DriverSearch.packages(below: $0) }
      .map { Place(path: $0, reason: "python3 in PATH") }
    places += DriverSearch.packages(below: "\(home)/.local").map {
      Place(path: $0, reason: "pip install --user")
    }
    places += DriverSearch.packages(below: "/usr/local").map {
      Place(path: $0, reason: "the system's Python")
    }
    places += listed("LD_LIBRARY_PATH")
    places += DriverSearch.libraries.map { Place(path: $0, reason: "the system's libraries") }
    var seen: Set<String> = []
    self.places = places.filter { seen.insert($0.path).inserted }
  }

  /// The folder that `lookahead drivers install` fills.
  public static func ownFolder(_ environment: [String: String] = DriverSearch.environment) -> String {
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? "\(environment["HOME"] ?? "")/.local/share"
    return "\(data)/lookahead/drivers"
  }

  /// The first driver of that name.
  public func driver(named name: String) -> FoundDriver? {
    for place in places {
      if let found = drivers(in: place).first(where: { $0.name == name }) { return found }
    }
    return nil
  }

  /// All drivers: the first one of each name.
  public var drivers: [FoundDriver] {
    var seen: Set<String> = []
    return places.flatMap(drivers(in:)).filter { seen.insert($0.name).inserted }
  }

  /// The drivers of a place; a file is one itself.
  private func drivers(in place: Place) -> [FoundDriver] {
    let path = place.path
    if path.hasSuffix(".so") { return DriverFolder.driver(file: path).map { [$0] } ?? [] }
    let folder = DriverFolder(path)
    guard path == DriverSearch.ownFolder() else { return folder.drivers }
    return folder.drivers + folder.names.flatMap { DriverFolder("\(path)/\($0)").drivers }
  }

  /// The variables that matter.
  public static var environment: [String: String] {
    let names = [
      "HOME", "PATH", "LOOKAHEAD_DRIVERS", "XDG_DATA_HOME", "ADBC_DRIVER_PATH", "VIRTUAL_ENV",
      "LD_LIBRARY_PATH",
    ]
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } })
  }

  /// The folders of packages of a Python with that prefix.
  private static func packages(below prefix: String) -> [String] {
    let versions = DriverFolder("\(prefix)/lib").names.filter { $0.hasPrefix("python3") }.sorted()
    let folders = versions.flatMap { version -> [String] in
      ["site-packages", "dist-packages"].map { "\(prefix)/lib/\(version)/\($0)" }
    }
    return folders.filter { access($0, R_OK) == 0 }
  }

  /// The prefix of the first python3, and of the one that it stands for.
  private static func pythons(_ path: String) -> [String] {
    for folder in path.split(separator: ":") where access("\(folder)/python3", X_OK) == 0 {
      var prefixes = [String(folder)]
      if let real = realpath("\(folder)/python3", nil) {
        prefixes.append(CagePath.folder(of: String(cString: real)))
        free(real)
      }
      return prefixes.filter { $0.hasSuffix("/bin") }.map { String($0.dropLast(4)) }
    }
    return []
  }

  /// The version of Python whose library is here, as `3.11`: that of python3 if possible; nil if there is none.
  public var pythonLibraryVersion: String? {
    DriverSearch.pythonLibraries.first.map { path in
      let name = path.split(separator: "/").last ?? ""
      return String(name.dropFirst("libpython".count).prefix { $0 != "s" }.dropLast())
    }
  }

  /// Libraries of Python 3, by the versions in their names.
  static var pythonLibraries: [String] {
    let prefixes = pythons(getenv("PATH").map { String(cString: $0) } ?? "").map { "\($0)/lib" }
    return (prefixes + libraries).flatMap { folder in
      DriverFolder(folder).names.filter { $0.hasPrefix("libpython3.") && $0.hasSuffix(".so.1.0") }
        .map { "\(folder)/\($0)" }
    }
  }

  private static let libraries = [
    "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
  ]
}
