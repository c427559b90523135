import CLua

/// The texts among the keys of a table that begin with a prefix.
///
/// ```swift
/// stack.keys(of: -1, LuaKeys.Wanted(prefix: "fe")).keys.map(\.text)  // ["fetch"]
/// ```
public struct LuaKeys {
  /// One of them.
  public struct Key {
    private let bytes: [UInt8]
    /// Whether its value is a function.
    public let isFunction: Bool

    init(_ key: clua_key) {
      bytes = Array(UnsafeRawBufferPointer(start: key.bytes, count: key.length))
      isFunction = key.is_function
    }

    /// Invalid UTF-8 has become U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Calls `body` with the bytes that it is made of.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
      bytes.withUnsafeBytes(body)
    }
  }

  /// Which keys are wanted.
  public struct Wanted {
    public var prefix: String
    /// Those only that can stand behind a dot.
    public var areNames = true
    /// Those only whose value is a function.
    public var areMethods = false
    /// How many are given, at least 1; the first in the order of their bytes.
    public var limit = 500

    public init(prefix: String) { self.prefix = prefix }
  }

  /// In the order of their bytes.
  public let keys: [Key]
  /// How many there are, also beyond the limit.
  public let count: Int
  /// Pairs of the table, whatever their keys.
  public let pairs: Int
  /// The last of them all; empty when there are none.
  public let last: String

  init(keys: [Key], count: Int, pairs: Int, last: String) {
    self.keys = keys
    self.pairs = pairs
    self.count = count
    self.last = last
  }

  /// No keys.
  public init() { self.init(keys: [], count: 0, pairs: 0, last: "") }
}

extension LuaStack {
  /// Looks through the keys of the table at `index`: one pass, in which only what is given is copied.
  public func keys(of index: Int, _ wanted: LuaKeys.Wanted) -> LuaKeys {
    let limit = max(1, wanted.limit)
    var prefix = wanted.prefix
    return withUnsafeTemporaryAllocation(of: clua_key.self, capacity: limit) { room in
      var matches = clua_matches()
      matches.keys = room.baseAddress
      prefix.withUTF8 { bytes in
        var wish = clua_wanted()
        wish.prefix = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
        wish.length = bytes.count
        wish.is_name = wanted.areNames
        wish.is_method = wanted.areMethods
        wish.limit = limit
        clua_match_keys(pointer, Int32(clamping: index), &wish, &matches)
      }
      let keys = room.prefix(min(limit, matches.count)).map(LuaKeys.Key.init)
      let last = matches.count > 0 ? LuaKeys.Key(matches.last).text : ""
      return LuaKeys(keys: keys, count: matches.count, pairs: matches.pairs, last: last)
    }
  }
}
