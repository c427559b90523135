/// Identifies an element for as long as it is held.
public struct ElementID: Sendable, Hashable, Comparable {
  /// Ever increasing.
  public let number: Int

  public init(number: Int) { self.number = number }

  public static func < (left: ElementID, right: ElementID) -> Bool { left.number < right.number }
}

/// One item, or one supplementary element, as the data controller holds it (Texture 3.5).
public struct Element<Model: Sendable>: Sendable {
  /// Stays the same when the element moves or adopts a new model.
  public let id: ElementID
  /// The supplementary kind; nil for an item.
  public let kind: String?
  /// The model, if the source provides one.
  public var model: Model?

  public init(id: ElementID, kind: String? = nil, model: Model? = nil) {
    self.id = id
    self.kind = kind
    self.model = model
  }
}

/// How far an element has been made.
enum ElementState<Source: ElementSource>: Sendable {
  /// The factory has not run; it is dropped once it has.
  case unmade(Source.Factory)
  case making(JobID)
  case made(Source.Product)
  /// Made, and being updated.
  case remaking(Source.Product, JobID)
  /// Never to be made: its job failed, or it was removed first.
  case lost

  var product: Source.Product? {
    switch self {
    case .unmade, .making, .lost: nil
    case .made(let product), .remaking(let product, _): product
    }
  }
}
