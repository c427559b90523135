/// How far a range reaches beyond the viewport, in screens.
public struct RangeExtent: Sendable, Hashable {
  /// In the direction of movement.
  public var leading: Double
  /// Against it.
  public var trailing: Double

  public init(leading: Double, trailing: Double) {
    precondition(leading >= 0 && trailing >= 0, "a range of \(leading) and \(trailing) screens")
    self.leading = leading
    self.trailing = trailing
  }

  /// Only the viewport.
  public static let zero = RangeExtent(leading: 0, trailing: 0)
}

/// A range whose extent depends on the mode.
public enum RangeKind: String, Sendable, Hashable, CaseIterable {
  /// What is rendered before it is visible.
  case display
  /// What gets its data before it is visible.
  case preload
}

/// How far each range reaches in each mode (Texture 4.2).
public struct RangeTuning: Sendable, Hashable {
  private struct Extents: Sendable, Hashable {
    var display: RangeExtent
    var preload: RangeExtent

    subscript(kind: RangeKind) -> RangeExtent {
      get {
        switch kind {
        case .display: display
        case .preload: preload
        }
      }
      set {
        switch kind {
        case .display: display = newValue
        case .preload: preload = newValue
        }
      }
    }
  }

  private var minimum = Extents(
    display: RangeExtent(leading: 0.25, trailing: 0.25), preload: RangeExtent(leading: 0.5, trailing: 0.25))
  private var full = Extents(
    display: RangeExtent(leading: 1, trailing: 0.5), preload: RangeExtent(leading: 2.5, trailing: 1.5))
  private var visibleOnly = Extents(display: .zero, preload: .zero)
  private var lowMemory = Extents(display: .zero, preload: .zero)
  /// How far items are measured, in every mode; ahead is always right and down.
  public var measure = RangeExtent(leading: 2, trailing: 2)

  private init() {}

  /// Texture's values for lists.
  public static let standard = RangeTuning()

  /// Texture's values for pagers.
  public static let pager = {
    var tuning = RangeTuning()
    tuning.full.display = RangeExtent(leading: 1, trailing: 1)
    tuning.full.preload = RangeExtent(leading: 2, trailing: 2)
    tuning.minimum.display = .zero
    tuning.minimum.preload = RangeExtent(leading: 1, trailing: 1)
    return tuning
  }()

  /// The extent of a range; by default in full mode.
  public subscript(kind: RangeKind, mode: RangeMode = .full) -> RangeExtent {
    get {
      switch mode {
      case .minimum: minimum[kind]
      case .full: full[kind]
      case .visibleOnly: visibleOnly[kind]
      case .lowMemory: lowMemory[kind]
      }
    }
    set {
      switch mode {
      case .minimum: minimum[kind] = newValue
      case .full: full[kind] = newValue
      case .visibleOnly: visibleOnly[kind] = newValue
      case .lowMemory: lowMemory[kind] = newValue
      }
    }
  }
}

/// How far the ranges reach (Texture 4.2, 4.5). There is no mode before the first pass.
public enum RangeMode: String, Sendable, Hashable, CaseIterable {
  /// Short ranges, until the user scrolls.
  case minimum
  /// Full ranges, for scrolling.
  case full
  /// Only what is visible.
  case visibleOnly
  /// Not even visible items are rendered.
  case lowMemory

  /// The mode of a container `depth` levels below the visible one.
  public init(visibilityDepth depth: Int) {
    precondition(depth >= 0, "a visibility depth of \(depth)")
    switch depth {
    case 0: self = .full
    case 1: self = .minimum
    case 2: self = .visibleOnly
    default: self = .lowMemory
    }
  }

  /// The mode of the next pass (Texture 4.4, rule 3).
  ///
  /// An invisible container never changes its mode by itself, and no container does before the first scroll.
  public static func next(
    after current: RangeMode?, isPreserved: Bool, hasBeenScrolled: Bool, isVisible: Bool
  ) -> RangeMode {
    guard let current else { return .minimum }
    return !isPreserved && hasBeenScrolled && isVisible ? .full : current
  }
}
