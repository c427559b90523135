public import Items

/// The data behind the data controller; its owner implements it over its own data.
///
/// Queried in a fixed order (Texture 3.7): the counts of all sections, then the context of each new section, then model
/// and factory of each new item, all ascending; supplementary elements last. If it throws, the update fails before
/// anything is changed.
public protocol ElementSource: SendableMetatype {
  /// Data of a section as a whole.
  associatedtype Context: Sendable
  /// The data of an item.
  associatedtype Model: Sendable
  /// What makes an element, once.
  associatedtype Factory: Sendable
  /// What a factory makes.
  associatedtype Product: Sendable, Equatable

  /// Number of sections.
  func sectionCount() throws -> Int
  /// Items in a section.
  func itemCount(ofSection section: Int) throws -> Int
  /// The context of a new section.
  func context(ofSection section: Int) throws -> Context
  /// The model of an item, if it is separate from its factory.
  func model(at path: ItemPath) throws -> Model?
  /// Whether the existing product can show a new model, so that no factory is needed; `old` is the element's place
  /// before the update.
  func canAdopt(_ model: Model, product: Product, from old: ItemPath) throws -> Bool
  /// The factory of the item at a place.
  func factory(at path: ItemPath) throws -> Factory
  /// Whether the item is slow to make, so that the reader should not wait for it.
  func isAsynchronous(at path: ItemPath) throws -> Bool
  /// Kinds of supplementary elements in a section.
  func supplementaryKinds(ofSection section: Int) throws -> [String]
  /// Number of supplementary elements of a kind; 0 if the kind does not apply.
  func supplementaryCount(of kind: String, inSection section: Int) throws -> Int
  /// The factory of a supplementary element.
  func supplementaryFactory(of kind: String, at path: ItemPath) throws -> Factory
}

extension ElementSource {
  public func canAdopt(_ model: Model, product: Product, from old: ItemPath) -> Bool { false }
  public func isAsynchronous(at path: ItemPath) -> Bool { true }
  public func supplementaryKinds(ofSection section: Int) -> [String] { [] }
  public func supplementaryCount(of kind: String, inSection section: Int) -> Int { 0 }
  public func supplementaryFactory(of kind: String, at path: ItemPath) throws -> Factory {
    preconditionFailure("a source with supplementary elements of kind \(kind) and no factory for them")
  }

  /// Items per section.
  func counts() throws -> [Int] {
    try (0..<sectionCount()).map { try itemCount(ofSection: $0) }
  }
}
