/// How far a range reaches beyond the viewport, in screens.
public struct RangeExtent: Sendable, Hashable {
  /// Ahead of the movement.
  public var leading: Double
  /// Behind it.
  public var trailing: Double

  public init(leading: Double, trailing: Double) {
    precondition(leading >= 0 && trailing >= 0, "a range of \(leading) and \(trailing) screens")
    self.leading = leading
    self.trailing = trailing
  }

  /// No more than the viewport.
  public static let zero = RangeExtent(leading: 0, trailing: 0)
}

/// A range whose reach depends on the mode.
public enum RangeKind: String, Sendable, Hashable, CaseIterable {
  /// What is displayed before it is seen.
  case display
  /// What gets its data before it is seen.
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

  /// Texture's for lists.
  public static let standard = RangeTuning()

  /// Texture's for pages that are turned.
  public static let pager = {
    var tuning = RangeTuning()
    tuning.full.display = RangeExtent(leading: 1, trailing: 1)
    tuning.full.preload = RangeExtent(leading: 2, trailing: 2)
    tuning.minimum.display = .zero
    tuning.minimum.preload = RangeExtent(leading: 1, trailing: 1)
    return tuning
  }()

  /// The reach of a range; without a mode, in full.
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
