import Hosting
import Paging
import Testing

/// Names of partitions, which others keep: they never change.
@Suite struct PartitionIDTests {
  @Test(arguments: [
    ("items", "", "items-65cbe4e063adfaf0"), ("rows", #"{"account":1}"#, "rows-b6636e856f02714c"),
    ("a/b c", "", "a_b_c-"), (".hidden", "", "_.hidden-"), ("größe", "", "gr__e-"),
  ])
  func `a partition has the same id for ever`(source: String, partition: String, id: String) {
    #expect(PartitionID(source: source, partition: partition).text.hasPrefix(id))
  }

  @Test func `each id is in one of the shares, and they are about equal`() {
    let ids = (0..<10_000).map { PartitionID(source: "rows", partition: "{\"n\":\($0)}") }
    let shards = (1...7).compactMap { Shard(index: $0, count: 7) }

    let sizes = shards.map { shard in ids.count(where: shard.contains) }

    #expect(sizes.reduce(0, +) == ids.count)
    #expect(sizes.allSatisfy { 1300...1560 ~= $0 })
    #expect(Set(ids.map(\.text)).count == ids.count)
  }
}
