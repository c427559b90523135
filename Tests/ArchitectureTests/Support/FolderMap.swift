/// Which folders of a target use names that others of its folders declare.
struct FolderMap {
  /// A place where a folder uses a name of another one.
  struct Witness: Equatable, CustomStringConvertible {
    let file: String
    let line: Int
    let name: String

    var description: String { "\(file):\(line): \(name)" }
  }

  /// A type that a file of another folder extends, and the names of its state that are used there.
  struct Reach: Equatable {
    /// `Feed ← Gate`: the type, and the folder that reaches into it.
    let title: String
    let witness: Witness
  }

  let folders: [String]
  /// Where a folder uses another one, by their names.
  private(set) var arrows: [String: [String: [Witness]]] = [:]
  private(set) var reaches: [Reach] = []

  private let texts: [String: String]
  private let module: String
  private let modules: Set<String>
  /// The folders that can be reached from each, by arrows.
  private var reachable: [String: Set<String>] = [:]
  /// Folders that can be reached from each other.
  private var groups: [[String]] = []
  /// The folders that declare a name, by its path.
  private var homes: [[String]: Set<String>] = [:]
  private var functions: Set<String> = []
  private var hidden: [String: Set<[String]>] = [:]
  private var state: [[String]: Set<String>] = [:]

  /// From the files of one target, by their paths below it.
  init(_ texts: [String: String], of module: String, among modules: Set<String> = []) {
    self.texts = texts
    self.module = module
    self.modules = modules
    let files = texts.sorted { $0.key < $1.key }.map {
      SwiftNames(file: $0.key, text: $0.value, module: module, modules: modules)
    }
    folders = Set(files.map { Self.folder(of: $0.file) }).sorted()
    for file in files { collect(file) }
    for file in files {
      for use in file.uses { follow(use, in: file) }
      for use in file.ownUses { follow(use, in: file) }
    }
    for folder in folders { reachable[folder] = reach(from: folder) }
    groups = Set(
      folders.map { folder in
        folders.filter { reachable[folder]!.contains($0) && reachable[$0]!.contains(folder) }
      }
    ).filter { !$0.isEmpty }.sorted { $0[0] < $1[0] }
  }

  /// The first folder of a path, or `.` for a file beside the folders.
  static func folder(of path: String) -> String {
    path.contains("/") ? String(path.prefix { $0 != "/" }) : "."
  }

  private mutating func collect(_ file: SwiftNames) {
    for declaration in file.declarations {
      if declaration.isFunction { functions.formUnion(declaration.path) }
      if declaration.isPrivate {
        hidden[file.file, default: []].insert(declaration.path)
      } else {
        homes[declaration.path, default: []].insert(Self.folder(of: file.file))
      }
    }
    state.merge(file.state) { $0.union($1) }
  }

  private mutating func follow(_ use: SwiftNames.Use, in file: SwiftNames) {
    if functions.contains(use.chain[0]), !use.isCall { return }
    let hidden = hidden[file.file] ?? []
    for depth in stride(from: use.around.count, through: 0, by: -1) {
      let outer = Array(use.around.prefix(depth))
      if hidden.contains(outer + use.chain.prefix(1)) { return }
      let known = use.chain.indices.map { outer + use.chain[...$0] }.filter { homes[$0] != nil }
      if known.isEmpty { continue }
      for path in known {
        let witness = Witness(file: file.file, line: use.line, name: path.joined(separator: "."))
        point(from: Self.folder(of: file.file), to: homes[path] ?? [], witness)
      }
      return
    }
  }

  private mutating func point(from folder: String, to homes: Set<String>, _ witness: Witness) {
    guard !homes.contains(folder), let home = homes.min() else { return }
    arrows[folder, default: [:]][home, default: []].append(witness)
  }

  private func reach(from folder: String) -> Set<String> {
    var seen: Set<String> = []
    var next = Array((arrows[folder] ?? [:]).keys)
    while let step = next.popLast() {
      if seen.insert(step).inserted { next += (arrows[step] ?? [:]).keys }
    }
    return seen
  }

  private mutating func follow(_ use: SwiftNames.OwnUse, in file: SwiftNames) {
    let folder = Self.folder(of: file.file)
    guard let homes = homes[use.type], !homes.contains(folder), state[use.type]?.contains(use.name) == true
    else { return }
    let type = use.type.joined(separator: ".")
    reaches.append(
      Reach(
        title: "\(type) ← \(folder)",
        witness: Witness(file: file.file, line: use.line, name: "\(type).\(use.name)")))
  }
}

extension FolderMap {
  /// Folders that need each other.
  struct Circle {
    /// `Lower ⇄ Upper`, in one order.
    let title: String
    /// The arrows among them, each with the first of its places.
    let explanation: String
  }

  var circles: [Circle] {
    groups.map { Circle(title: $0.joined(separator: " ⇄ "), explanation: explanation(of: $0)) }
  }

  /// The circles among the folders that a folder holds; the files beside them are its own.
  var innerCircles: [Circle] {
    let deep = texts.filter { $0.key.split(separator: "/").count > 2 }
    return folders.flatMap { room -> [Circle] in
      let inner = deep.filter { $0.key.hasPrefix("\(room)/") }
        .map { (String($0.key.dropFirst(room.count + 1)), $0.value) }
      return FolderMap(Dictionary(uniqueKeysWithValues: inner), of: module, among: modules).circles.map {
        Circle(title: "\(room): \($0.title)", explanation: $0.explanation)
      }
    }
  }

  /// The folders by floors, the highest first: each uses only what lies below it. Folders of a circle share a floor and a pair of
  /// parentheses.
  var floors: String {
    let rooms = groups + folders.filter { folder in !groups.contains { $0.contains(folder) } }.map { [$0] }
    let byHeight = rooms.map { (room: $0, below: reachable[$0[0]]!.subtracting($0)) }
      .sorted { ($0.below.count, $0.room[0]) < ($1.below.count, $1.room[0]) }
    var floor: [String: Int] = [:]
    for (room, below) in byHeight {
      let level = (below.compactMap { floor[$0] }.max() ?? -1) + 1
      for folder in room { floor[folder] = level }
    }
    let levels = Dictionary(grouping: rooms) { floor[$0[0]]! }.sorted { $0.key > $1.key }
    return levels.map { level, rooms in
      let names = rooms.sorted { $0[0] < $1[0] }.map {
        $0.count > 1 ? "(\($0.joined(separator: " ⇄ ")))" : $0[0]
      }
      return "\(level)  \(names.joined(separator: ", "))"
    }.joined(separator: "\n")
  }

  private func explanation(of group: [String]) -> String {
    group.flatMap { folder in
      (arrows[folder] ?? [:]).filter { group.contains($0.key) }.sorted { $0.key < $1.key }.map {
        home, places in
        let more = places.count > 1 ? " (and \(places.count - 1) more)" : ""
        return "  \(folder) → \(home): \(places[0])\(more)"
      }
    }.joined(separator: "\n")
  }
}
