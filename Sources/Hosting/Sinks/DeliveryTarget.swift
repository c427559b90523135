public import Paging

/// Takes the items that a program emits, in the order in which they come.
public protocol DeliveryTarget: Sendable {
  /// Takes one delivery and answers `.done` when more may come, or the failure; `reply` is called once, on any thread.
  func deliver(_ delivery: Delivery, reply: @escaping @Sendable (HostReply) -> Void)
}
