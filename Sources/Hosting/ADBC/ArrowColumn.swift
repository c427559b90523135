import CADBC
import JSON

/// The values of a column of a batch, read where they are; valid as long as the batch.
final class ArrowColumn {
  /// A value, with texts and bytes where they are: valid until the next value of the column.
  enum Value {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case bytes(UnsafeRawBufferPointer)
    /// A text that is JSON.
    case json(UnsafeRawBufferPointer)
    /// Lists, structures, maps: written by `write(_:to:)`.
    case nested
  }

  /// The name of the column.
  let name: String
  private let type: ArrowType
  private let array: ArrowArray
  private let offset: Int
  private let validity: UnsafePointer<UInt8>?
  private let values: UnsafeRawPointer?
  private let children: [ArrowColumn]
  private let dictionary: ArrowColumn?
  /// The bounds of arrays of several dimensions, whose elements come one after the other; null for others.
  private var bounds: ArrowColumn?
  private let scratch = TextScratch()

  /// The column of a type; fails where its values can't be read as what they mean.
  init(_ schema: ArrowSchema, _ array: ArrowArray) throws(ArrowProblem) {
    name = schema.text
    type = try ArrowType(schema)
    self.array = array
    offset = Int(array.offset)
    // Unions have no validity of their own, and neither have columns of nulls.
    let hasValidity =
      switch type {
      case .union, .null: false
      default: true
      }
    validity =
      hasValidity && array.null_count != 0 && array.n_buffers > 0
      ? array.buffers[0]?.assumingMemoryBound(to: UInt8.self) : nil
    values = array.n_buffers > 1 ? array.buffers[1] : nil
    var children: [ArrowColumn] = []
    for index in 0..<Int(min(schema.n_children, array.n_children)) {
      children.append(try ArrowColumn(schema.children[index]!.pointee, array.children[index]!.pointee))
    }
    self.children = children
    if let values = schema.dictionary, let places = array.dictionary {
      dictionary = try ArrowColumn(values.pointee, places.pointee)
    } else {
      dictionary = nil
    }
  }

  /// The columns of rows; the last ones are the bounds of those with these numbers.
  static func columns(
    of batch: ArrowBatch, arrays: [Int] = []
  ) throws(ArrowColumnProblem) -> [ArrowColumn] {
    let (schema, array) = (batch.fields.schema, batch.array)
    var columns: [ArrowColumn] = []
    for index in 0..<Int(schema.n_children) {
      let field = schema.children[index]!.pointee
      do throws(ArrowProblem) {
        columns.append(try ArrowColumn(field, array.children[index]!.pointee))
      } catch {
        throw ArrowColumnProblem(column: field.text, problem: error)
      }
    }
    let bounds = columns.suffix(arrays.count)
    columns.removeLast(arrays.count)
    for (array, bounds) in zip(arrays, bounds) { columns[array].bounds = bounds }
    return columns
  }

  /// Whether values may be JSON in itself, or nested.
  var holdsJSON: Bool {
    switch type {
    case .json, .list, .fixedList, .map, .structure, .union: true
    case .dictionary: dictionary?.holdsJSON ?? false
    default: false
    }
  }

  /// The value of a row.
  func value(at row: Int) -> Value {
    let row = row + offset
    if let validity, validity[row >> 3] >> (row & 7) & 1 == 0 { return .null }
    switch type {
    case .null: return .null
    case .boolean: return .boolean(load(row >> 3, UInt8.self) >> (row & 7) & 1 == 1)
    case .boolean8: return .boolean(load(row, Int8.self) != 0)
    case .integer(let bytes, let isSigned): return integer(row, bytes, isSigned)
    case .real16: return real(Double(load(row, Float16.self)))
    // The shortest text of a single-precision number is what people have written.
    case .real32: return real(single(load(row, Float.self)))
    case .real64: return real(load(row, Double.self))
    case .decimal(let bytes, let scale):
      return text { $0.integer(raw(row, bytes), scale: scale) }
    case .text(let offsets): return .text(slice(row, offsets))
    case .bytes(let offsets): return .bytes(slice(row, offsets))
    case .json(let offsets): return .json(slice(row, offsets))
    case .fixedBytes(let count): return .bytes(raw(row, count))
    case .uuid: return text { $0.uuid(raw(row, 16)) }
    case .list, .fixedList, .map, .structure, .union: return .nested
    case .dictionary(let places): return place(row, places)
    case .postgresqlNumeric: return numeric(slice(row, .narrow))
    case .days, .daysInMilliseconds, .timestamp, .time, .duration, .months, .daysAndMilliseconds,
      .monthsDaysAndNanoseconds, .postgresqlTimestamp, .postgresqlDate:
      return time(row)
    }
  }

  /// Writes the value of a row as JSON.
  func write(_ row: Int, to json: inout JSONWriter) {
    switch value(at: row) {
    case .null: json.null()
    case .boolean(let value): json.boolean(value)
    case .integer(let value): json.integer(value)
    case .real(let value): json.real(value)
    case .text(let text): json.text(text)
    case .bytes(let bytes): json.base64(bytes)
    case .json(let text): json.raw(text)
    case .nested: nested(row + offset, to: &json)
    }
  }

  private func nested(_ row: Int, to json: inout JSONWriter) {
    switch type {
    case .list(let offsets):
      let (first, last) = ends(row, offsets)
      elements(first..<last, of: sizes(row - offset, of: last - first), to: &json)
    case .fixedList(let count): elements(row * count..<(row + 1) * count, of: [], to: &json)
    case .structure:
      json.beginObject()
      for child in children {
        json.key(child.name)
        child.write(row, to: &json)
      }
      json.endObject()
    case .map: map(row, to: &json)
    case .union(let isDense, let numbers):
      let number = array.buffers[0]!.assumingMemoryBound(to: Int8.self)[row]
      guard let index = numbers.firstIndex(of: number), index < children.count else { return json.null() }
      let place = isDense ? Int(array.buffers[1]!.assumingMemoryBound(to: Int32.self)[row]) : row
      children[index].write(place, to: &json)
    case .dictionary(let places):
      guard case .integer(let place) = self.place(in: row, places) else { return json.null() }
      dictionary?.write(Int(place), to: &json)
    default: json.null()
    }
  }

  /// The sizes of the dimensions of an array with so many elements, the outermost first; empty where it has one, and where the
  /// database tells others than it has.
  private func sizes(_ row: Int, of count: Int) -> ArraySlice<Int> {
    guard case .text(let bounds)? = bounds?.value(at: row) else { return [] }
    // As `[1:2][0:4]`.
    let sizes = String(decoding: bounds, as: UTF8.self).split { $0 == "[" || $0 == "]" }.map { bound in
      let ends = bound.split(separator: ":").compactMap { Int32($0) }
      return ends.count == 2 ? max(0, Int(ends[1]) - Int(ends[0]) + 1) : 0
    }
    let product = sizes.reduce(Int?(1)) { product, size in
      let (next, isTooLarge) = (product ?? 0).multipliedReportingOverflow(by: size)
      return product == nil || isTooLarge ? nil : next
    }
    return product == count && count > 0 ? sizes[...] : []
  }

  private func elements(_ rows: Range<Int>, of sizes: ArraySlice<Int>, to json: inout JSONWriter) {
    json.beginArray()
    if sizes.count > 1, let size = sizes.first {
      let step = rows.count / size
      for index in 0..<size {
        let start = rows.lowerBound + index * step
        elements(start..<start + step, of: sizes.dropFirst(), to: &json)
      }
    } else {
      for row in rows { children[0].write(row, to: &json) }
    }
    json.endArray()
  }

  /// Keys that are texts become members; others become pairs, since JSON has no such keys.
  private func map(_ row: Int, to json: inout JSONWriter) {
    let (first, last) = ends(row, .narrow)
    let (keys, values) = (children[0].children[0], children[0].children[1])
    let shift = children[0].offset
    guard case .text = keys.type else {
      json.beginArray()
      for row in first..<last {
        json.beginArray()
        keys.write(row + shift, to: &json)
        values.write(row + shift, to: &json)
        json.endArray()
      }
      return json.endArray()
    }
    json.beginObject()
    for row in first..<last {
      if case .text(let key) = keys.value(at: row + shift) { json.key(String(decoding: key, as: UTF8.self)) }
      values.write(row + shift, to: &json)
    }
    json.endObject()
  }

  @inline(__always)
  private func load<Number>(_ index: Int, _ type: Number.Type) -> Number {
    values!.loadUnaligned(fromByteOffset: index * MemoryLayout<Number>.stride, as: type)
  }

  private func raw(_ row: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: values.map { $0 + row * count }, count: count)
  }

  private func integer(_ row: Int, _ bytes: Int, _ isSigned: Bool) -> Value {
    switch (bytes, isSigned) {
    case (1, true): return .integer(Int64(load(row, Int8.self)))
    case (1, false): return .integer(Int64(load(row, UInt8.self)))
    case (2, true): return .integer(Int64(load(row, Int16.self)))
    case (2, false): return .integer(Int64(load(row, UInt16.self)))
    case (4, true): return .integer(Int64(load(row, Int32.self)))
    case (4, false): return .integer(Int64(load(row, UInt32.self)))
    case (16, _):
      let bytes = raw(row, 16)
      let low = bytes.loadUnaligned(as: Int64.self)
      guard bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self) == (isSigned ? low >> 63 : 0),
        isSigned || low >= 0
      else { return text { $0.integer(bytes, isSigned: isSigned) } }
      return .integer(low)
    case (_, true): return .integer(load(row, Int64.self))
    case (_, false):
      let value = load(row, UInt64.self)
      // Integers of scripts have 63 bits and a sign: what is beyond stays exact as a text.
      guard let signed = Int64(exactly: value) else { return text { $0.append(String(value)) } }
      return .integer(signed)
    }
  }

  private func real(_ value: Double) -> Value {
    if value.isFinite { return .real(value) }
    return text { $0.append(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity") }
  }

  private func single(_ value: Float) -> Double {
    value.isFinite ? Double(value.description) ?? Double(value) : Double(value)
  }

  private func numeric(_ digits: UnsafeRawBufferPointer) -> Value {
    guard let last = digits.last, last >= UInt8(ascii: "A") else { return .text(digits) }
    return switch String(decoding: digits, as: UTF8.self).lowercased() {
    case "nan": text { $0.append("NaN") }
    case "inf", "infinity": text { $0.append("Infinity") }
    case "-inf", "-infinity": text { $0.append("-Infinity") }
    default: .text(digits)
    }
  }

  private func ends(_ row: Int, _ offsets: ArrowOffsets) -> (Int, Int) {
    switch offsets {
    case .narrow, .views: (Int(load(row, Int32.self)), Int(load(row + 1, Int32.self)))
    case .wide: (Int(load(row, Int64.self)), Int(load(row + 1, Int64.self)))
    }
  }

  @inline(__always)
  private func slice(_ row: Int, _ offsets: ArrowOffsets) -> UnsafeRawBufferPointer {
    if offsets == .views { return view(row) }
    let (first, last) = ends(row, offsets)
    return UnsafeRawBufferPointer(start: array.buffers[2].map { $0 + first }, count: last - first)
  }

  /// Up to twelve bytes are in the view itself; others are in one of the buffers behind.
  private func view(_ row: Int) -> UnsafeRawBufferPointer {
    let view = values! + row * 16
    let count = Int(view.loadUnaligned(as: Int32.self))
    if count <= 12 { return UnsafeRawBufferPointer(start: view + 4, count: count) }
    let buffer = Int(view.loadUnaligned(fromByteOffset: 8, as: Int32.self))
    let start = Int(view.loadUnaligned(fromByteOffset: 12, as: Int32.self))
    return UnsafeRawBufferPointer(start: array.buffers[2 + buffer].map { $0 + start }, count: count)
  }

  private func place(in row: Int, _ places: ArrowType) -> Value {
    guard case .integer(let bytes, let isSigned) = places else { return .null }
    return integer(row, bytes, isSigned)
  }

  private func place(_ row: Int, _ places: ArrowType) -> Value {
    guard case .integer(let place) = place(in: row, places) else { return .null }
    return dictionary?.value(at: Int(place)) ?? .null
  }

  private func text(_ body: (TextScratch) -> Void) -> Value {
    scratch.clear()
    body(scratch)
    return .text(scratch.bytes)
  }

  private func time(_ row: Int) -> Value {
    text { text in
      switch type {
      case .days: text.date(Int64(load(row, Int32.self)), limit: Int64(Int32.max))
      case .daysInMilliseconds: text.date(load(row, Int64.self).floored(by: 86_400_000).quotient)
      case .postgresqlDate: text.date(postgresql: load(row, Int32.self))
      case .timestamp(let perSecond, let isUTC):
        text.timestamp(load(row, Int64.self), perSecond: perSecond, isUTC: isUTC)
      case .postgresqlTimestamp(let isUTC): text.timestamp(postgresql: load(row, Int64.self), isUTC: isUTC)
      case .time(let bytes, let perSecond):
        text.time(bytes == 4 ? Int64(load(row, Int32.self)) : load(row, Int64.self), perSecond: perSecond)
      case .duration(let perSecond): text.span(parts: load(row, Int64.self), perSecond: perSecond)
      case .months: text.span(months: Int64(load(row, Int32.self)))
      case .daysAndMilliseconds:
        text.span(
          days: Int64(load(2 * row, Int32.self)), parts: Int64(load(2 * row + 1, Int32.self)), perSecond: 1000
        )
      default:
        let value = raw(row, 16)
        text.span(
          months: Int64(value.loadUnaligned(as: Int32.self)),
          days: Int64(value.loadUnaligned(fromByteOffset: 4, as: Int32.self)),
          parts: value.loadUnaligned(fromByteOffset: 8, as: Int64.self), perSecond: 1_000_000_000)
      }
    }
  }
}

/// A column that can't be read, and why.
struct ArrowColumnProblem: Error {
  let column: String
  let problem: ArrowProblem
}
