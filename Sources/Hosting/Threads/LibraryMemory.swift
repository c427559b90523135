import CCage

/// The memory that libraries, and the program itself, take for what is in their files.
///
/// Much of it was needed only to start: DuckDB has 40 MB of its file in memory once it is open, and goes on with 24.
enum LibraryMemory {
  /// Gives it back; what is used again comes again.
  static func release() { ccage_release_libraries() }
}
