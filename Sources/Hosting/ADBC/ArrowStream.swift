import CADBC

/// The rows of a query, as columns in batches; it keeps its statement.
public final class ArrowStream {
  private let raw: UnsafeMutablePointer<ArrowArrayStream>
  private let statement: ADBCStatement
  private let functions: UnsafePointer<AdbcDriver>
  /// The columns of all batches.
  let fields: ArrowFields

  /// Takes a stream over.
  init(
    _ stream: ArrowArrayStream, of statement: ADBCStatement, _ functions: UnsafePointer<AdbcDriver>
  ) throws(ADBCError) {
    self.statement = statement
    self.functions = functions
    raw = .allocate(capacity: 1)
    raw.initialize(to: stream)
    var schema = ArrowSchema()
    let code = raw.pointee.get_schema?(raw, &schema) ?? 0
    guard code == 0 else {
      let error = ArrowStream.error(code, of: raw, functions)
      ArrowStream.free(raw)
      throw error
    }
    fields = ArrowFields(schema)
  }

  deinit { ArrowStream.free(raw) }

  /// The next batch, or nil at the end.
  public func next() throws(ADBCError) -> ArrowBatch? {
    var array = ArrowArray()
    guard let next = raw.pointee.get_next else { return nil }
    let code = next(raw, &array)
    guard code == 0 else { throw ArrowStream.error(code, of: raw, functions) }
    return array.release == nil ? nil : ArrowBatch(array, fields)
  }

  private static func free(_ raw: UnsafeMutablePointer<ArrowArrayStream>) {
    raw.pointee.release?(raw)
    raw.deallocate()
  }

  /// What the driver says in full, or what the stream says.
  private static func error(
    _ code: CInt, of raw: UnsafeMutablePointer<ArrowArrayStream>, _ functions: UnsafePointer<AdbcDriver>
  ) -> ADBCError {
    var status: AdbcStatusCode = 0
    if let error = functions.pointee.ErrorFromArrayStream(raw, &status) {
      return ADBCError(status, error.pointee)
    }
    let said = raw.pointee.get_last_error?(raw).map { String(cString: $0) }
    return ADBCError(.io, said ?? SystemError(number: code).reason)
  }
}

/// Some rows of a query, as columns.
public final class ArrowBatch {
  private let raw: UnsafeMutablePointer<ArrowArray>
  /// The columns.
  let fields: ArrowFields

  /// Takes the rows over.
  init(_ array: ArrowArray, _ fields: ArrowFields) {
    raw = .allocate(capacity: 1)
    raw.initialize(to: array)
    self.fields = fields
  }

  deinit {
    raw.pointee.release?(raw)
    raw.deallocate()
  }

  /// The number of rows.
  public var count: Int { Int(raw.pointee.length) }

  /// The rows as a struct, whose children are the columns; valid as long as the batch.
  var array: ArrowArray { raw.pointee }

  /// Gives the rows away; this is empty then.
  func release() -> ArrowArray {
    defer { raw.pointee.release = nil }
    return raw.pointee
  }
}

/// The columns of rows: a schema that is taken over.
final class ArrowFields {
  private let raw: UnsafeMutablePointer<ArrowSchema>

  /// Takes a schema over.
  init(_ schema: ArrowSchema) {
    raw = .allocate(capacity: 1)
    raw.initialize(to: schema)
  }

  deinit {
    raw.pointee.release?(raw)
    raw.deallocate()
  }

  /// The type of a row, a struct, whose children are the columns; valid as long as this is.
  var schema: ArrowSchema { raw.pointee }

  /// The names of the columns; empty where one has none.
  var names: [String] { (0..<Int(schema.n_children)).map { schema.children[$0]!.pointee.text } }

  /// What the values of the columns are, as Arrow says it.
  var formats: [String] {
    (0..<Int(schema.n_children)).map { schema.children[$0]!.pointee.format.map { String(cString: $0) } ?? "" }
  }
}

extension ArrowSchema {
  /// The name of the column; empty where it has none.
  var text: String { name.map { String(cString: $0) } ?? "" }
}
