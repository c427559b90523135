import CADBC
import Glibc

extension ArrowArray {
  /// A column; the buffers are freed with it.
  init(length: Int, nullCount: Int, buffers: [UnsafeRawPointer]) {
    self.init()
    self.length = Int64(length)
    null_count = Int64(nullCount)
    n_buffers = Int64(buffers.count)
    let list = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: buffers.count)
    for (place, buffer) in buffers.enumerated() { list[place] = buffer }
    self.buffers = list
    release = { array in
      guard let array else { return }
      for place in 0..<Int(array.pointee.n_buffers) {
        free(UnsafeMutableRawPointer(mutating: array.pointee.buffers[place]))
      }
      array.pointee.buffers.deallocate()
      array.pointee.release = nil
    }
  }

  /// Frees what nobody takes.
  func discard() {
    var array = self
    array.release?(&array)
  }

  /// Rows of these columns, which are taken.
  init(rows: Int, columns: [ArrowArray]) {
    self.init()
    length = Int64(rows)
    n_buffers = 1
    n_children = Int64(columns.count)
    let list = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: 1)
    list[0] = nil
    buffers = list
    children = .allocate(capacity: max(1, columns.count))
    for (place, column) in columns.enumerated() {
      let child = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
      child.initialize(to: column)
      children[place] = child
    }
    release = { array in
      guard let array else { return }
      for place in 0..<Int(array.pointee.n_children) {
        guard let child = array.pointee.children[place] else { continue }
        child.pointee.release?(child)
        child.deallocate()
      }
      array.pointee.children.deallocate()
      array.pointee.buffers.deallocate()
      array.pointee.release = nil
    }
  }
}

extension ArrowSchema {
  /// A column's.
  init(format: String, name: String, isJSON: Bool = false) {
    self.init()
    self.format = UnsafePointer(strdup(format))
    self.name = UnsafePointer(strdup(name))
    if isJSON { metadata = ArrowSchema.jsonMetadata() }
    flags = 2  // may be null
    release = { schema in
      guard let schema else { return }
      free(UnsafeMutablePointer(mutating: schema.pointee.format))
      free(UnsafeMutablePointer(mutating: schema.pointee.name))
      free(UnsafeMutablePointer(mutating: schema.pointee.metadata))
      for place in 0..<Int(schema.pointee.n_children) {
        guard let child = schema.pointee.children[place] else { continue }
        child.pointee.release?(child)
        child.deallocate()
      }
      schema.pointee.children?.deallocate()
      schema.pointee.release = nil
    }
  }

  /// That of rows of these columns, which are taken.
  init(columns: [ArrowSchema]) {
    self.init(format: "+s", name: "")
    flags = 0
    n_children = Int64(columns.count)
    children = .allocate(capacity: max(1, columns.count))
    for (place, column) in columns.enumerated() {
      let child = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
      child.initialize(to: column)
      children[place] = child
    }
  }

  /// That a text is JSON, as Arrow's canonical extension type says: counts and lengths are numbers of four bytes.
  private static func jsonMetadata() -> UnsafePointer<CChar>? {
    let pairs = [("ARROW:extension:name", "arrow.json"), ("ARROW:extension:metadata", "")]
    var bytes: [UInt8] = []
    func add(_ number: Int) { withUnsafeBytes(of: Int32(number)) { bytes += $0 } }
    add(pairs.count)
    for (key, value) in pairs {
      for text in [key, value] {
        add(text.utf8.count)
        bytes += text.utf8
      }
    }
    guard let memory = malloc(bytes.count) else { return nil }
    memcpy(memory, bytes, bytes.count)
    return UnsafePointer(memory.assumingMemoryBound(to: CChar.self))
  }
}
