import Paging

extension Rig {
  /// Paging 3's own: items by offset, one per page and two at first, prefetch distance 1, at most three held.
  static func paging3(
    from start: Int, _ set: (inout FeedConfiguration.Options) -> Void = { _ in }
  ) throws -> Rig {
    var rig = try Rig {
      $0.keys = .offset
      $0.pageSize = 1
      $0.initialPageSize = 2
      $0.prefetchDistance = 1
      $0.maxItems = 3
      $0.maxInFlight = 1
      $0.retry = .never
      set(&$0)
    }
    rig.send(.refreshed(.key(.integer(Int64(start)))))
    return rig
  }
}
