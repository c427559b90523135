public import Items

/// Edits of a collection that become visible together (Texture 2.1–2.7).
///
/// `begin` and `end` are counted, so nested batches become one. The caller changes its data, submits the operations,
/// and after the last end completes the update with the new counts; nothing takes effect before. A single edit is a
/// batch of one operation.
///
/// ```swift
/// var batch = BatchUpdate(oldCounts: [3])
/// batch.begin()
/// try batch.submit(.deleteItems([ItemPath(item: 0)]))
/// try batch.end()
/// let changes = try batch.complete(newCounts: [2])
/// ```
public struct BatchUpdate: Sendable {
  /// Items per section before the update.
  public let oldCounts: [Int]
  /// How moves are treated.
  public let moveStyle: MoveStyle
  /// The submitted operations, one per call.
  public private(set) var operations: [BatchOperation] = []
  /// The caller's animation option of each operation.
  private(set) var animations: [Int] = []
  /// The caller's completions in calling order: inner ones before outer ones.
  public private(set) var completions: [Int] = []
  private var depth = 0
  private var isComplete = false
  private var reloadsData = false

  public init(oldCounts: [Int], moves: MoveStyle = .real) {
    self.oldCounts = oldCounts
    moveStyle = moves
  }

  /// Whether a `begin` still lacks its end.
  public var isOpen: Bool { depth > 0 }

  /// Opens the batch, or one inside it.
  public mutating func begin() { depth += 1 }

  /// Closes the innermost open batch and adds its completion; true if it was the outermost.
  @discardableResult
  public mutating func end(completion: Int? = nil) throws(UpdateError) -> Bool {
    guard depth > 0 else { throw error(.unbalancedEnd) }
    depth -= 1
    if let completion { completions.append(completion) }
    return depth == 0
  }

  /// Adds an operation; an invalid one throws and is not added.
  public mutating func submit(_ operation: BatchOperation, animation: Int = 0) throws(UpdateError) {
    if var fault = fault(of: operation) {
      fault.operations = operations + [operation]
      throw fault
    }
    if operation == .reloadData { reloadsData = true }
    operations.append(operation)
    animations.append(animation)
  }

  /// Sorts, coalesces and validates the operations against the new counts, and closes the batch for good.
  public mutating func complete(newCounts: [Int]) throws(UpdateError) -> PathChanges {
    guard !isComplete else { throw error(.changeSetClosed) }
    guard depth == 0 else { throw error(.unbalancedEnd) }
    isComplete = true
    do throws(UpdateError) {
      if let section = newCounts.firstIndex(where: { !(0..<BatchOperation.indexLimit ~= $0) }) {
        throw UpdateError(.invalidIndex, section: section, new: newCounts[section])
      }
      guard !reloadsData else { return PathChanges(reloading: oldCounts, newCounts: newCounts) }
      let resolution = try Resolution(self, newCounts: newCounts)
      try resolution.validate()
      return PathChanges(
        resolution.parts, oldCounts: oldCounts, newCounts: newCounts, sectionMap: resolution.sectionMap,
        itemMaps: resolution.itemMaps)
    } catch {
      var fault = error
      fault.operations = operations
      throw fault
    }
  }

  private func fault(of operation: BatchOperation) -> UpdateError? {
    if isComplete { return UpdateError(.changeSetClosed) }
    if operation == .reloadData, reloadsData { return UpdateError(.reloadDataTwice) }
    return operation.fault
  }

  private func error(_ code: UpdateError.Code) -> UpdateError {
    var error = UpdateError(code)
    error.operations = operations
    return error
  }
}
