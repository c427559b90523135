/// What a source declares of its items, as far as it matters where they are kept.
///
///     var items = ItemDeclaration()
///     items.identity = .member("number")
public struct ItemDeclaration: Sendable, Equatable {
  /// What names an item.
  public enum Identity: Sendable, Equatable {
    /// A member of it; where that was not declared, items may be without, and are only counted then.
    case member(String)
    /// A function, or several members together.
    case made
    /// Nothing: items are only counted.
    case none
  }

  /// What names an item.
  public var identity = Identity.member("id")
  /// What members are, in an output that has types.
  public var types: [String: DeclaredType] = [:]

  public init() {}
}
