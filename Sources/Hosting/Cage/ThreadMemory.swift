import CCage

/// The memory that the threads of this process take from the C library.
public enum ThreadMemory {
  /// Has the threads share so many arenas; each keeps some of what was freed in it, and by itself the library makes eight for
  /// each processor. To be called before there is a second thread.
  public static func share(arenas: Int) { ccage_limit_arenas(Int32(clamping: arenas)) }
}
