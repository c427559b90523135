public import Items

/// Where the data controller asks what there is; its owner implements it over its own data.
///
/// It is asked in a fixed order (Texture 3.7): the counts of all sections, then the context of each new
/// section, then model and factory of each new item, all ascending; supplementary elements come last. What it
/// throws ends the update before anything is changed.
public protocol ElementSource: SendableMetatype {
  /// What belongs to a section as a whole.
  associatedtype Context: Sendable
  /// What an item is about.
  associatedtype Model: Sendable
  /// What an element is made with, once.
  associatedtype Factory: Sendable
  /// What a factory makes.
  associatedtype Product: Sendable, Equatable

  /// Sections there are.
  func sectionCount() throws -> Int
  /// Items in a section.
  func itemCount(ofSection section: Int) throws -> Int
  /// The context of a section that is new.
  func context(ofSection section: Int) throws -> Context
  /// The model of the item at a place, if it is separate from its factory.
  func model(at path: ItemPath) throws -> Model?
  /// Whether what was made for an element may show a new model, so that no factory is asked for; before the
  /// update the element was at that place.
  func canAdopt(_ model: Model, product: Product, from old: ItemPath) throws -> Bool
  /// What the item at a place is made with.
  func factory(at path: ItemPath) throws -> Factory
  /// Whether the item is slow to make, so that the reader should not wait for it.
  func isAsynchronous(at path: ItemPath) throws -> Bool
  /// Kinds of supplementary elements in a section.
  func supplementaryKinds(ofSection section: Int) throws -> [String]
  /// How many of a kind a section has; 0 where there is no room for any.
  func supplementaryCount(of kind: String, inSection section: Int) throws -> Int
  /// What a supplementary element is made with.
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
