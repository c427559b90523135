import Lua

/// The keys of a table other than its elements, in print order.
struct TableKeys {
  /// One key.
  struct Key {
    /// As written before `=`.
    let text: String
    /// As written after the table.
    let step: String
    /// Its name, if it is one.
    let fieldName: String?
  }

  /// Number of keys.
  let count: Int
  private let stack: LuaStack
  private let table: Int
  private let names: LuaKeys
  /// Positions of non-name keys in the order of `next`, in print order.
  private let others: [Int]

  /// At most `limit` keys of the table at `table`, whose elements are those up to `length`.
  init(_ stack: LuaStack, _ table: Int, length: Int, limit: Int) {
    self.stack = stack
    self.table = table
    guard stack.unmadeRows(at: table) == nil else {
      names = LuaKeys()
      others = []
      count = 0
      return
    }
    var wanted = LuaKeys.Wanted(prefix: "")
    wanted.areNames = false
    wanted.limit = max(1, limit)
    let names = stack.keys(of: table, wanted)
    let hasOthers = names.pairs != names.count + length
    let others = hasOthers ? Self.others(stack, table, length: length) : []
    self.others = Array(others.prefix(limit))
    self.names = limit > 0 ? names : LuaKeys()
    count = names.count + others.count
  }

  /// Calls `body` with each key, its value on top; `body` must leave the stack unchanged.
  func forEach(_ body: (Key, LuaStack) -> Void) {
    let base = stack.count
    defer { stack.truncate(to: base) }
    let found = pushOthers(base)
    for place in others {
      guard let (key, index) = found[place] else { continue }
      stack.pushCopy(of: index)
      body(key, stack)
      stack.pop()
    }
    for name in names.keys {
      name.withBytes { stack.pushField(bytes: $0, of: table) }
      body(Key(name), stack)
      stack.pop()
    }
  }

  /// Pushes the values of the other keys above `base`, in one pass, and returns their positions.
  private func pushOthers(_ base: Int) -> [Int: (Key, Int)] {
    guard !others.isEmpty, stack.reserve(others.count + 10) else { return [:] }
    let wanted = Set(others)
    var found: [Int: (Key, Int)] = [:]
    var place = 0
    stack.forEachPair(of: table) { stack in
      defer { place += 1 }
      guard wanted.contains(place) else { return }
      let slot = base + 1 + found.count
      found[place] = (Key(other: stack, at: stack.count - 1), slot)
      stack.pushCopy(of: -1)
      stack.insert(at: slot)
    }
    return found
  }

  private static func others(_ stack: LuaStack, _ table: Int, length: Int) -> [Int] {
    var found: [(rank: Int, value: Double, place: Int)] = []
    var place = 0
    stack.forEachPair(of: table) { stack in
      defer { place += 1 }
      let key = stack.count - 1
      if stack.isString(at: key) { return }
      if let number = stack.number(at: key) {
        let isElement = stack.isInteger(at: key) && number >= 1 && number <= Double(length)
        if !isElement { found.append((0, number, place)) }
      } else if let value = stack.boolean(at: key) {
        found.append((1, value ? 1 : 0, place))
      } else {
        found.append((2, 0, place))
      }
    }
    return found.sorted { ($0.rank, $0.value, $0.place) < ($1.rank, $1.value, $1.place) }.map(\.place)
  }
}

extension TableKeys.Key {
  init(_ name: LuaKeys.Key) {
    let isName = LuaToken.isName(name.text)
    let quoted = name.withBytes { PrintedString.quoted($0, limit: 60).map(\.text).joined() }
    text = isName ? name.text : "[\(quoted)]"
    step = isName ? "." + name.text : "[\(quoted)]"
    fieldName = isName ? name.text : nil
  }

  /// A key other than a string, at `index` of the stack.
  init(other stack: LuaStack, at index: Int) {
    let plain = ValuePrinter(stack, PrintStyle()).plain(at: index)?.map(\.text).joined()
    text = "[\(plain ?? stack.typeName(at: index))]"
    step = text
    fieldName = nil
  }
}
