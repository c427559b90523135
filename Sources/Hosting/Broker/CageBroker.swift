import CCage
import Glibc
import Synchronization

/// A child process outside the cage, for the few things the caged process still needs: it replaces outputs atomically,
/// removes files created for nothing, and runs the user's editor. Files and editor are fixed before the cage is
/// entered, so that nothing else can be requested. It ends with the process, however that ends.
public final class CageBroker: Sendable {
  /// The tasks of a broker; paths are absolute and without symlinks.
  public struct Duties: Sendable, Equatable {
    /// Files and directories created for results still to come: removed at the end if empty.
    public var made: [String] = []
    /// Files replaced atomically.
    public var replaced: [String] = []
    /// Files written next to the ones they are to replace.
    public var staged: [Staged] = []
    /// The shell command of the user's editor.
    public var editor: String?

    /// No duties.
    public init() {}

    /// Whether there is nothing to do.
    public var isEmpty: Bool { self == Duties() }
  }

  /// A file being written, and the one it is to replace.
  public struct Staged: Sendable, Equatable {
    /// Absolute and without symlinks, like the other.
    public let partial: String
    public let target: String

    /// The two paths.
    public init(partial: String, target: String) {
      self.partial = partial
      self.target = target
    }
  }

  /// The broker of this process, if any.
  public static var current: CageBroker? { shared.withLock { $0 } }

  private static let shared = Mutex<CageBroker?>(nil)
  private let duties: Duties
  private let broker: Mutex<Reference?>

  /// A pointer used only under the lock.
  private struct Reference: @unchecked Sendable { let pointer: OpaquePointer }

  private init(_ duties: Duties, _ pointer: OpaquePointer) {
    self.duties = duties
    broker = Mutex(Reference(pointer: pointer))
  }

  /// Starts the broker of this process, which must still be single-threaded.
  public static func start(_ duties: Duties) throws(CageFailure) {
    let made = CStrings(duties.made)
    let replaced = CStrings(duties.replaced)
    let partial = CStrings(duties.staged.map(\.partial))
    let target = CStrings(duties.staged.map(\.target))
    let editor = duties.editor.map { CStrings([$0]) }
    let staged = duties.staged.indices.map {
      ccage_staged(partial: partial.pointers[$0], target: target.pointers[$0])
    }
    let pointer = withExtendedLifetime((made, replaced, partial, target, editor)) {
      staged.withUnsafeBufferPointer { staged in
        var asked = ccage_duties(
          made: made.pointers, made_count: made.count, replaced: replaced.pointers,
          replaced_count: replaced.count, staged: staged.baseAddress, staged_count: staged.count,
          editor: editor?.pointers[0], answer: nil, context: nil)
        return ccage_broker_start(&asked)
      }
    }
    guard let pointer else { throw CageFailure(step: "fork", reason: SystemError.last.reason) }
    shared.withLock { $0 = CageBroker(duties, pointer) }
  }

  /// Keeps a created file or directory even if empty: that is the result.
  public func keep(_ path: String) {
    guard let index = duties.made.firstIndex(of: path) else { return }
    withBroker { _ = ccage_broker_keep($0, index) }
  }

  /// Runs the editor on an absolute path and waits; returns its exit code, 127 if it did not start.
  public func edit(_ path: String, line: Int) -> Int32 {
    withBroker { ccage_broker_edit($0, path, Int32(clamping: line)) } ?? 127
  }

  /// Ends the broker; files created for nothing are removed when it returns.
  public func finish() {
    Self.shared.withLock { $0 = nil }
    broker.withLock { reference in
      if let reference { ccage_broker_finish(reference.pointer) }
      reference = nil
    }
  }

  /// Whether the broker replaces the file's contents, since its directory is not writable in the cage.
  func replaces(_ path: String) -> Bool { duties.replaced.contains(path) }

  /// Replaces the contents of the file, like `WholeFile.replace`.
  func replace(
    _ path: String, _ write: (FileDescriptor) throws(SystemError) -> Void
  ) throws(SystemError) {
    guard let index = duties.replaced.firstIndex(of: path) else { throw SystemError(number: EACCES) }
    let number = withBroker { ccage_broker_begin($0, index) } ?? -1
    guard number >= 0 else { throw .last }
    let file = FileDescriptor(taking: number)
    do throws(SystemError) {
      try write(file)
    } catch {
      withBroker { _ = ccage_broker_end($0, false) }
      throw error
    }
    guard withBroker({ ccage_broker_end($0, true) }) == true else { throw .last }
  }

  /// Whether the broker publishes the file.
  func stages(_ staged: Staged) -> Bool { duties.staged.contains(staged) }

  /// Moves the file into place.
  func publish(_ staged: Staged) throws(SystemError) {
    guard let index = duties.staged.firstIndex(of: staged) else { throw SystemError(number: EACCES) }
    guard withBroker({ ccage_broker_publish($0, index) }) == true else { throw .last }
  }

  /// Removes the file.
  func discard(_ staged: Staged) {
    guard let index = duties.staged.firstIndex(of: staged) else { return }
    withBroker { _ = ccage_broker_discard($0, index) }
  }

  @discardableResult
  private func withBroker<Result: Sendable>(_ body: (OpaquePointer) -> Result) -> Result? {
    broker.withLock { reference in
      guard let reference else { return nil }
      return body(reference.pointer)
    }
  }
}

/// C strings.
private final class CStrings {
  let count: Int
  /// Null if there are none.
  let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>

  init(_ texts: [String]) {
    count = texts.count
    pointers = .allocate(capacity: texts.count + 1)
    for (index, text) in texts.enumerated() { pointers[index] = UnsafePointer(strdup(text)) }
    pointers[texts.count] = nil
  }

  deinit {
    for index in 0..<count { free(UnsafeMutablePointer(mutating: pointers[index])) }
    pointers.deallocate()
  }
}

/// Why the cage was not entered, though the kernel supports it.
public struct CageFailure: Error, Equatable {
  /// The call that failed.
  public let step: String
  /// The system's message.
  public let reason: String
}
