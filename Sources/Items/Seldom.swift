/// A value that is seldom there: without it, it takes no more room than a pointer.
///
/// For what few of thousands have. Copies share it, and none sees what another one sets.
///
/// ```swift
/// @Seldom var failure: FetchFailure?
/// ```
@propertyWrapper
public struct Seldom<Value> {
  @usableFromInline var box: Box?

  @usableFromInline
  final class Box {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) { self.value = value }
  }

  @inlinable
  public init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

  @inlinable
  public var wrappedValue: Value? {
    get { box?.value }
    set { box = newValue.map(Box.init) }
    _modify {
      var value = box?.value
      // Held once only, so that changing a part of it copies nothing.
      box = nil
      defer { box = value.map(Box.init) }
      yield &value
    }
  }
}

extension Seldom.Box: Sendable where Value: Sendable {}
extension Seldom: Sendable where Value: Sendable {}
