public import Paging

/// An event of the whole program (Texture 4.5).
public enum ApplicationEvent: String, Sendable, Hashable, CaseIterable {
  /// Memory is low.
  case memoryWarning
  /// The program went to the background.
  case enteredBackground
  /// The program came to the foreground.
  case enteredForeground

  /// The range mode it requires of a container in that state.
  public func mode(for container: InterfaceState) -> RangeMode {
    switch self {
    case .memoryWarning: container.contains(.display) ? .visibleOnly : .lowMemory
    case .enteredBackground: container.contains(.visible) ? .visibleOnly : .lowMemory
    case .enteredForeground: container.contains(.visible) ? .minimum : .visibleOnly
    }
  }
}
