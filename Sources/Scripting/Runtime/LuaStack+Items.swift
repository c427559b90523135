import Items
import Lua
import Paging

/// Items, ids and keys as scripts have them.
extension LuaStack {
  /// Pushes items as a list whose rows are built on access.
  func push(_ items: [Item], on account: LuaAccount) throws(LuaError) {
    let size = items.reduce(2) { $0 + $1.bytes.count + 1 }
    let text = UnsafeMutableRawPointer.allocate(byteCount: size + Bytes.wantedPadding, alignment: 16)
    var end = 0
    func put(_ byte: UInt8) {
      text.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
      end += 1
    }
    put(UInt8(ascii: "["))
    for (position, item) in items.enumerated() {
      if position > 0 { put(UInt8(ascii: ",")) }
      item.bytes.withUnsafeBytes {
        if let start = $0.baseAddress { (text + end).copyMemory(from: start, byteCount: $0.count) }
      }
      end += item.bytes.count
    }
    put(UInt8(ascii: "]"))
    (text + end).initializeMemory(as: UInt8.self, repeating: 0, count: Bytes.wantedPadding)
    let bytes = Bytes(adopting: text, count: end, capacity: size + Bytes.wantedPadding) { $0.deallocate() }
    try push(json: bytes, on: account)
  }

  /// Pushes the value of a JSON text, read in place.
  func push(json bytes: Bytes, on account: LuaAccount) throws(LuaError) {
    try push(IndexedJSON(bytes), on: account)
  }

  /// Pushes the value of a JSON text, read in place.
  func push(_ json: IndexedJSON, on account: LuaAccount) throws(LuaError) {
    do throws(JSONError) { try push(BytesOwner(json, on: account)) } catch { throw LuaError(error) }
  }

  /// Pushes the value of the JSON text that the owner keeps, read in place.
  func push(_ owner: BytesOwner) throws(JSONError) {
    if let index = owner.json.index { return try pushJSON(index.pointer, owner: owner) }
    try owner.bytes.withUnsafeBytes { text throws(JSONError) in
      try pushJSON(text, padding: owner.bytes.padding, owner: owner)
    }
  }

  /// The value of the JSON text that the owner keeps; or nil, the message, line and column.
  func answer(json owner: BytesOwner) -> HostFunctionAnswer {
    do throws(JSONError) {
      try push(owner)
      return .results(1)
    } catch {
      pushNil()
      push(error.message)
      push(error.line.map { .integer(Int64($0)) } ?? .nil)
      push(error.column.map { .integer(Int64($0)) } ?? .nil)
      return .results(4)
    }
  }

  func push(_ id: ItemID) {
    switch id {
    case .integer(let value): push(value)
    case .text(let value): push(value)
    }
  }

  /// The id in a value; nil if it can't be one.
  func itemID(at index: Int) -> ItemID? {
    integer(at: index).map { .integer($0) } ?? string(at: index).map { .text($0) }
  }

  func push(_ key: PageKey) {
    switch key {
    case .integer(let value): push(value)
    case .text(let value): push(value)
    case .json(let bytes):
      do throws(JSONError) {
        try bytes.withUnsafeBytes { bytes throws(JSONError) in try pushJSON(bytes) }
      } catch {
        pushNil()
      }
    }
  }

  /// A key given by a script; nil for none.
  func key(at index: Int) throws -> PageKey? {
    if isNil(at: index) { return nil }
    if let value = integer(at: index) { return .integer(value) }
    if let value = string(at: index) {
      try raiseFault("a key must be text, a number or JSON")
      return .text(value)
    }
    do {
      return try withJSON(at: index) { .json(Bytes(copying: $0)) }
    } catch {
      throw HostFunctionError.misuse("a key must be text, a number or JSON: \(error.message)")
    }
  }
}

/// Keeps bytes alive for a script, on its account: a response body, or a document read in place.
final class BytesOwner {
  let json: IndexedJSON
  private let account: LuaAccount

  var bytes: Bytes { json.text }

  init(_ json: IndexedJSON, on account: LuaAccount) {
    self.json = json
    self.account = account
    account.hold(json.size)
  }

  deinit { account.hold(-json.size) }
}

extension LuaError {
  init(_ error: JSONError) {
    self.init(error.isMemory ? .stopped(.memory) : .runtime, error.message, code: "parse")
  }
}
