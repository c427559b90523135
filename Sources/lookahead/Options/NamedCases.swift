public import ArgumentParser

/// What an option may be that is one of some words. ArgumentParser would ask the cases for it through key paths, each time a
/// command is parsed, which takes longer than all else about such an option.
extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// The words.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  /// The words say it themselves.
  public static var allValueDescriptions: [String: String] { [:] }

  /// One of the words.
  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
