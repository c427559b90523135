internal import Items

/// Keys that pages name and that only count pages or items, as `?page=3` and `$skip=100` do: each has the same number in the same
/// place as the one before, grown by one or by the items of the page. What they lead to moves with the list, as counted pages do.
public struct CountingKeys: Sendable, Equatable {
  /// Which of the numbers in a key it is, from 0.
  public var place: Int
  /// By how much it grows from key to key.
  public var step: Int64

  public init(place: Int, step: Int64) { (self.place, self.step) = (place, step) }

  /// What a key and the one that its page names have in common, as far as `earlier` ones had; nil where the second one does not count
  /// on. The first page often has no key: then the name of the number has to tell.
  init?(from first: PageKey?, to second: PageKey, items: Int, of size: Int, after earlier: CountingKeys?) {
    if let first {
      if let first = WrappedKey(first), let second = WrappedKey(second) {
        self.init(from: first.inner, to: second.inner)
        guard second.counts(at: place) else { return nil }
      } else {
        self.init(from: first, to: second)
      }
      // A page may lack items that are hidden from the reader.
      let isStep = step == 1 || step > 1 && [Int64(items), Int64(size), earlier?.step].contains(step)
      guard isStep,
        earlier?.place ?? place == place
      else { return nil }
      return
    }
    guard let after = NumberedKey(second) else { return nil }
    let names = after.numbers.indices.map(after.name)
    func isItems(_ place: Int) -> Bool { items > 1 && after.numbers[place] == Int64(items) }
    func has(_ words: String..., at place: Int) -> Bool { words.contains(where: names[place].contains) }
    let named = names.indices.filter { place in
      has("page", at: place) && !has("size", "per", at: place) && 1...2 ~= after.numbers[place]
        || has("offset", "skip", "start", "from", at: place) && isItems(place)
    }
    // Where no name tells, the one number that is a page's or that of the items.
    let others = names.indices.filter { place in
      !names[place].isEmpty && !has("size", "per", "limit", "count", at: place)
        && (isItems(place) || after.numbers[place] == 2)
    }
    let places = named.isEmpty ? others : named
    guard places.count == 1, let place = places.first else { return nil }
    let isPage = has("page", at: place) || !isItems(place)
    self.init(place: place, step: isPage ? 1 : Int64(items))
  }

  /// What two keys have in common that differ in one number; nil for others.
  private init?(from first: PageKey, to second: PageKey) {
    switch (first, second) {
    case (.integer(let first), .integer(let second)):
      self.init(place: 0, step: second.clampedDifference(first))
    case (.text(var first), .text(var second)):
      let found = first.withUTF8 { first in second.withUTF8 { CountingKeys(from: first, to: $0) } }
      guard let found else { return nil }
      self = found
    default: return nil
    }
  }

  /// Looks at nothing twice: links are long, and there is one on each page.
  private init?(from first: UnsafeBufferPointer<UInt8>, to second: UnsafeBufferPointer<UInt8>) {
    let most = min(first.count, second.count)
    var start = 0
    while start < most, first[start] == second[start] { start += 1 }
    var behind = 0
    while behind < most - start, first[first.count - 1 - behind] == second[second.count - 1 - behind] {
      behind += 1
    }
    while start > 0, second[start - 1].isDigit { start -= 1 }
    while behind > 0, second[second.count - behind].isDigit { behind -= 1 }
    guard let before = Int64(plain: first[start..<first.count - behind]),
      let after = Int64(plain: second[start..<second.count - behind])
    else { return nil }
    var place = 0
    for index in 0..<start where second[index].isDigit && !second[index + 1].isDigit { place += 1 }
    self.init(place: place, step: after.clampedDifference(before))
  }

  /// The key before that one; nil where that is none of these, or the first page's.
  public func key(before key: PageKey) -> PageKey? {
    let wrapped = WrappedKey(key)
    guard step > 0, var numbered = NumberedKey(wrapped?.inner ?? key),
      numbered.numbers.indices.contains(place), numbered.numbers[place] > step
    else { return nil }
    numbered.numbers[place] -= step
    return wrapped?.wrapping(numbered.key) ?? numbered.key
  }
}

private extension UInt8 {
  var isDigit: Bool { 0x30...0x39 ~= self }
}

private extension Int64 {
  /// A number of digits only, as it would be written; nil for others.
  init?(plain digits: Slice<UnsafeBufferPointer<UInt8>>) {
    guard digits.allSatisfy(\.isDigit), digits.count == 1 || digits.first != 0x30 else { return nil }
    self.init(String(decoding: digits, as: UTF8.self))
  }
}

/// A key as the numbers in it, and the texts around them.
private struct NumberedKey {
  /// One more than numbers.
  var texts = [""]
  var numbers: [Int64] = []
  private var isInteger = false

  /// Nil where it has none, or one that can't be written again as it was.
  init?(_ key: PageKey) {
    switch key {
    case .integer(let number):
      (texts, numbers, isInteger) = (["", ""], [number], true)
    case .text(let text):
      var rest = text[...]
      while !rest.isEmpty {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        if digits.isEmpty {
          texts[texts.count - 1].append(rest.removeFirst())
        } else {
          guard let number = Int64(digits), String(number) == digits else { return nil }
          numbers.append(number)
          texts.append("")
          rest = rest[digits.endIndex...]
        }
      }
    case .json: return nil
    }
    if numbers.isEmpty { return nil }
  }

  var key: PageKey {
    if isInteger { return .integer(numbers[0]) }
    return .text(zip(texts, numbers).map { "\($0)\($1)" }.joined() + (texts.last ?? ""))
  }

  /// What a number is called, as `page` in `?page=2`; nothing where it is part of a text. A key that is a number counts pages or items.
  func name(of place: Int) -> String {
    if isInteger || texts == ["", ""] { return numbers[0] <= 2 ? "page" : "offset" }
    guard texts[place].last == "=", texts[place + 1].first.map({ $0 == "&" || $0 == "#" }) ?? true else {
      return ""
    }
    return texts[place].dropLast().split { "?&".contains($0) }.last?.lowercased() ?? ""
  }
}

/// A key that is base64 of another one, as `YXJyYXljb25uZWN0aW9uOjk=` is of `arrayconnection:9`, the cursors of many GraphQL servers.
private struct WrappedKey {
  let inner: PageKey
  private let outer: String

  /// Nil for keys that are what they say, and those that can't be written again as they were.
  init?(_ key: PageKey) {
    guard case .text(let text) = key, text.utf8.count >= 8, let bytes = Base64.decode(text),
      bytes.allSatisfy({ 0x20...0x7E ~= $0 })
    else { return nil }
    inner = .text(String(decoding: bytes, as: UTF8.self))
    outer = text
    if wrapping(inner) != key { return nil }
  }

  /// What another one looks like in the same form.
  func wrapping(_ key: PageKey) -> PageKey {
    guard case .text(var text) = key else { return key }
    var wrapped = text.withUTF8 { Base64.encode(.init($0)) }
    if outer.last != "=", outer.utf8.count.isMultiple(of: 4) == false { wrapped.removeAll { $0 == "=" } }
    return .text(wrapped)
  }

  /// Whether the number at a place is called as one that counts: an id may grow by as much.
  func counts(at place: Int) -> Bool {
    guard let numbered = NumberedKey(inner), numbered.numbers.indices.contains(place) else { return false }
    let before = numbered.texts[place].lowercased().reversed().drop { !$0.isLetter }
    return WrappedKey.names.contains(String(before.prefix { $0.isLetter }.reversed()))
  }

  private static let names: Set = [
    "arrayconnection", "cursor", "index", "offset", "page", "pos", "position", "skip", "startat",
    "startindex",
  ]
}
