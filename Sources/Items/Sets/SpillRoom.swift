/// Room outside of memory, as on a disk, for what is too much to hold; it has areas, each of which begins at zero and grows.
///
/// What can't be read or written, the room tells whoever made it.
public protocol SpillRoom: AnyObject, Sendable {
  /// How much of a kind is held before it is spilled: less is not worth the way.
  var leastSpilled: Int { get }
  /// An empty area that nobody else has; nil where there is none.
  func takeArea() -> Int?
  /// What is in the area is not needed any more.
  func giveBack(area: Int)
  /// Whether so many bytes from the area's start can be written.
  func reserve(_ count: Int, inArea area: Int) -> Bool
  /// Fills the bytes with those of the area from an offset; all of them were written.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int, inArea area: Int)
  /// Writes into what was reserved.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, inArea area: Int)
}

/// A room as a setting: two are equal if they are the same room.
public struct Spilling: Sendable, Equatable {
  public let room: any SpillRoom

  public init(into room: any SpillRoom) { self.room = room }

  public static func == (left: Spilling, right: Spilling) -> Bool { left.room === right.room }
}
