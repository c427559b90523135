public import Paging

/// Whether the reader waits for the work of a change set.
public enum ProcessingMode: String, Sendable, Hashable, CaseIterable {
  /// By Texture's rules.
  case standard
  /// For every set.
  case alwaysSynchronous
  /// For none.
  case alwaysAsynchronous
}

/// What decides whether a change set is processed while the reader waits (Texture 3.3).
public struct ProcessingSituation: Sendable, Hashable {
  /// Overrides all else unless standard.
  public var mode: ProcessingMode
  /// The set reloads everything.
  public var isReload: Bool
  /// New items that are slow to make.
  public var asynchronousCount: Int
  /// Size of the whole content.
  public var contentSize: Extent
  /// Size of the visible part.
  public var bounds: Extent

  public init(
    mode: ProcessingMode = .standard, isReload: Bool, asynchronousCount: Int, contentSize: Extent,
    bounds: Extent
  ) {
    self.mode = mode
    self.isReload = isReload
    self.asynchronousCount = asynchronousCount
    self.contentSize = contentSize
    self.bounds = bounds
  }

  /// The answer of the first rule that applies.
  public var isSynchronous: Bool {
    switch mode {
    case .alwaysSynchronous: return true
    case .alwaysAsynchronous: return false
    case .standard:
      if isReload { return false }
      if asynchronousCount < 2 { return true }
      return contentSize.width <= bounds.width && contentSize.height <= bounds.height
    }
  }
}
