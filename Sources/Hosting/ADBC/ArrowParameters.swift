import CADBC
import Glibc
import Items
import Paging

/// The values of the parameters of a statement: a row, whose columns are `$1`, `$2`, …
///
/// Truths, integers, doubles, texts and bytes are what they are; null has no type of its own, so that the database chooses one.
enum ArrowParameters {
  /// Binds the values to a statement, which takes them.
  static func bind(_ values: [SQLValue], to statement: ADBCStatement) throws(ADBCError) {
    let named = values.enumerated().map { (name: "\($0 + 1)", value: $1) }
    var schema = self.schema("+s", "", named.map { self.schema(format(of: $0.value), $0.name, []) })
    var array = self.array(length: 1, isNull: false, [nil], named.map { self.array(of: $0.value) })
    defer {
      // Whoever has taken them has cleared this.
      schema.release?(&schema)
      array.release?(&array)
    }
    try statement.bind(&array, &schema)
  }

  private static func format(of value: SQLValue) -> String {
    switch value {
    case .null: "n"
    case .boolean: "b"
    case .integer: "l"
    case .real: "g"
    case .text: "u"
    case .blob: "z"
    }
  }

  private static func array(of value: SQLValue) -> ArrowArray {
    switch value {
    case .null: return array(length: 1, isNull: true, [], [])
    case .boolean(let value):
      return array(length: 1, isNull: false, [nil, copy(of: UInt8(value ? 1 : 0))], [])
    case .integer(let number): return array(length: 1, isNull: false, [nil, copy(of: number)], [])
    case .real(let number): return array(length: 1, isNull: false, [nil, copy(of: number)], [])
    case .text(var text):
      return text.withUTF8 { array(ofBytes: UnsafeRawBufferPointer($0)) }
    case .blob(let bytes): return bytes.withUnsafeBytes { array(ofBytes: $0) }
    }
  }

  private static func array(ofBytes bytes: UnsafeRawBufferPointer) -> ArrowArray {
    let contents = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 8)
    if let start = bytes.baseAddress { contents.copyMemory(from: start, byteCount: bytes.count) }
    return array(
      length: 1, isNull: false, [nil, copy(of: SIMD2<Int32>(0, Int32(clamping: bytes.count))), contents], [])
  }

  private static func copy<Number>(of number: Number) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<Number>.size, alignment: 8)
    memory.storeBytes(of: number, as: Number.self)
    return memory
  }

  /// A column whose buffers become its own.
  private static func array(
    length: Int64, isNull: Bool, _ buffers: [UnsafeMutableRawPointer?], _ children: [ArrowArray]
  ) -> ArrowArray {
    var array = ArrowArray()
    array.length = length
    array.null_count = isNull ? length : 0
    let held = Held(children)
    let places = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: max(1, buffers.count))
    for (index, buffer) in buffers.enumerated() { places[index] = UnsafeRawPointer(buffer) }
    held.memory = buffers.compactMap { $0 } + [UnsafeMutableRawPointer(places)]
    array.n_buffers = Int64(buffers.count)
    array.buffers = places
    array.n_children = Int64(children.count)
    array.children = held.places
    array.private_data = Unmanaged.passRetained(held).toOpaque()
    array.release = { array in
      guard let array, let data = array.pointee.private_data else { return }
      for index in 0..<Int(array.pointee.n_children) {
        let child = array.pointee.children[index]!
        child.pointee.release?(child)
      }
      (array.pointee.release, array.pointee.private_data) = (nil, nil)
      Unmanaged<Held<ArrowArray>>.fromOpaque(data).release()
    }
    return array
  }

  private static func schema(_ format: String, _ name: String, _ children: [ArrowSchema]) -> ArrowSchema {
    var schema = ArrowSchema()
    let held = Held(children)
    let texts = [strdup(format), strdup(name)]
    held.texts = texts.compactMap { $0 }
    (schema.format, schema.name) = (UnsafePointer(texts[0]), UnsafePointer(texts[1]))
    schema.flags = Int64(ARROW_FLAG_NULLABLE)
    schema.n_children = Int64(children.count)
    schema.children = held.places
    schema.private_data = Unmanaged.passRetained(held).toOpaque()
    schema.release = { schema in
      guard let schema, let data = schema.pointee.private_data else { return }
      for index in 0..<Int(schema.pointee.n_children) {
        let child = schema.pointee.children[index]!
        child.pointee.release?(child)
      }
      (schema.pointee.release, schema.pointee.private_data) = (nil, nil)
      Unmanaged<Held<ArrowSchema>>.fromOpaque(data).release()
    }
    return schema
  }
}

/// The memory of a structure: what it holds itself, and the structures in it, which release what they hold.
private final class Held<Element> {
  var memory: [UnsafeMutableRawPointer] = []
  var texts: [UnsafeMutablePointer<CChar>] = []
  /// Where the structures in it are.
  let places: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>
  private let count: Int

  init(_ elements: [Element]) {
    count = elements.count
    places = .allocate(capacity: max(1, count))
    for (index, element) in elements.enumerated() {
      let place = UnsafeMutablePointer<Element>.allocate(capacity: 1)
      place.initialize(to: element)
      (places + index).initialize(to: place)
    }
  }

  deinit {
    for place in memory { place.deallocate() }
    for text in texts { free(text) }
    for index in 0..<count { places[index]?.deallocate() }
    places.deallocate()
  }
}
