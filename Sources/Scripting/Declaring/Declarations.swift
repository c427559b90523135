/// What a script declared while it was loaded.
public struct Declarations: Sendable, Equatable {
  /// Sources in order of declaration.
  public var sources: [DeclaredSource] = []
  public var parameters: [DeclaredParameter] = []
  /// Whether the script reached its end without waiting.
  public var isLoaded = false
  /// Whether a check found nothing to read in what it returned.
  public var returnsNothing = false
  /// Why a run would not read what it returned, as far as a check can tell.
  public var refusal: String?

  public init() {}
}

/// A source, for display.
public struct DeclaredSource: Sendable, Equatable {
  public var name: String
  /// `cursor`, `page` or `offset`.
  public var keys: String
  public var pageSize: Int
  public var hasFetch: Bool
  /// The permissions it needs: kinds (`net`, …) and names.
  public var needs: [String: [String]]
}

/// A parameter, for display.
public struct DeclaredParameter: Sendable, Equatable {
  public var name: String
  public var help: String
  /// `string`, `integer`, `number` or `boolean`.
  public var type: String
  public var isRequired: Bool
  public var isSecret: Bool
  /// Whether another value of it is another part of what the sources have.
  public var isPartition = true
  /// As text; empty if there is none.
  public var defaultText: String
}
