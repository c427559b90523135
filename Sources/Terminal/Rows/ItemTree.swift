/// An item as a tree: one line per value, with foldable lists and objects.
public struct ItemTree: Sendable, Hashable {
  /// One line.
  public struct Line: Sendable, Hashable {
    /// Nesting depth, from 0.
    public let depth: Int
    /// The member's name, or the list index from 1.
    public let name: String
    /// The value on one line; folded contents are counted.
    public let text: String
    /// Whether it has children.
    public let isBranch: Bool
    public let isFolded: Bool
  }

  private var root: ItemValue
  /// Whether details were added.
  public private(set) var hasDetails = false
  /// Folded branches, by their index paths.
  private var folded: Set<[Int]> = []
  /// The selected line.
  public private(set) var selected = 0
  /// The visible lines, from the top.
  public private(set) var lines: [Line] = []
  private var paths: [[Int]] = []

  public init(_ root: ItemValue) {
    self.root = root
    unfold()
  }

  /// Adds details as a last branch.
  public mutating func add(details: ItemValue) {
    hasDetails = true
    root = .object(root.members + [ItemValue.Member(name: "details", value: details)])
    unfold()
  }

  /// Moves the selection by a number of lines, up if negative; stops at the ends.
  public mutating func move(by distance: Int) {
    selected = max(0, min(lines.count - 1, selected + distance))
  }

  /// Folds or unfolds the selected branch; a leaf folds its parent.
  public mutating func toggle() {
    guard lines.indices.contains(selected) else { return }
    if lines[selected].isBranch { fold(paths[selected], !lines[selected].isFolded) } else { foldParent() }
  }

  /// Folds the selected branch, or if impossible its parent.
  public mutating func close() {
    guard lines.indices.contains(selected) else { return }
    if lines[selected].isBranch, !lines[selected].isFolded {
      fold(paths[selected], true)
    } else {
      foldParent()
    }
  }

  /// Unfolds the selected branch.
  public mutating func open() {
    guard lines.indices.contains(selected), lines[selected].isFolded else { return }
    fold(paths[selected], false)
  }

  private mutating func foldParent() {
    let parent = Array(paths[selected].dropLast())
    if !parent.isEmpty { fold(parent, true) }
  }

  private mutating func fold(_ path: [Int], _ isFolded: Bool) {
    if isFolded { folded.insert(path) } else { folded.remove(path) }
    unfold()
    selected = paths.firstIndex(of: path) ?? 0
  }

  private mutating func unfold() {
    lines = []
    paths = []
    add(root.members.map { ($0.name, $0.value) }, below: [])
  }

  private mutating func add(_ values: [(name: String, value: ItemValue)], below path: [Int]) {
    for (number, (name, value)) in values.enumerated() {
      let path = path + [number]
      let children = value.children
      let isFolded = children != nil && folded.contains(path)
      lines.append(
        Line(
          depth: path.count - 1, name: name, text: value.headline(isFolded: isFolded),
          isBranch: children != nil, isFolded: isFolded))
      paths.append(path)
      if let children, !isFolded { add(children, below: path) }
    }
  }
}

extension ItemValue {
  /// Its children; nil for a leaf or an empty value.
  var children: [(name: String, value: ItemValue)]? {
    switch self {
    case .literal, .text, .list([]), .object([]): nil
    case .list(let values): values.enumerated().map { ("\($0.offset + 1)", $0.element) }
    case .object(let members): members.map { ($0.name, $0.value) }
    }
  }

  func headline(isFolded: Bool) -> String {
    switch self {
    case .literal, .text: line
    case .list([]): "[]"
    case .object([]): "{}"
    case .list(let values): isFolded ? "[\(values.count) …]" : ""
    case .object(let members): isFolded ? "{\(members.count) …}" : ""
    }
  }
}
