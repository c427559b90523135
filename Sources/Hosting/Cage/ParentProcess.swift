import CCage

/// The process that started this one.
public enum ParentProcess {
  /// From now on this process ends when that one does, or the thread of it that started this one: no orphan goes on writing.
  /// False if it is gone already.
  public static func follow() -> Bool { ccage_follow_parent() }
}
