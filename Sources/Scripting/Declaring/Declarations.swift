/// What a script said while it was loaded.
public struct Declarations: Sendable, Equatable {
  /// Sources in the order in which they were declared, by name.
  public var sources: [DeclaredSource] = []
  public var parameters: [DeclaredParameter] = []
  /// The script came to its end without waiting.
  public var isLoaded = false
  /// It returned nothing, or nil.
  public var returnsNothing = false

  public init() {}
}

/// A source, as shown to people.
public struct DeclaredSource: Sendable, Equatable {
  public var name: String
  /// `cursor`, `page` or `offset`.
  public var keys: String
  public var pageSize: Int
  public var hasFetch: Bool
  /// What it asks to be granted: kinds (`net`, …) and names.
  public var needs: [String: [String]]
}

/// A parameter, as shown to people.
public struct DeclaredParameter: Sendable, Equatable {
  public var name: String
  public var help: String
  /// `string`, `integer`, `number` or `boolean`.
  public var type: String
  public var isRequired: Bool
  public var isSecret: Bool
  /// As text; empty when there is none.
  public var defaultText: String
}
