import Testing

/// A script of the gallery, how it is run, and what it brings.
struct GalleryCase: CustomTestStringConvertible {
  let script: String
  /// What is run for it; a policy is run by a feed.
  let run: String
  let arguments: [String]
  let id: String
  let count: Int
  var distinct: Int?
  let first: String
  let last: String

  var testDescription: String { script }

  private init(
    _ script: String, run: String? = nil, _ arguments: [String] = [], id: String = "id", count: Int,
    distinct: Int? = nil, first: String, last: String
  ) {
    self.script = "scripts/\(script).lua"
    self.run = "scripts/\(run ?? script).lua"
    self.arguments = arguments
    self.id = id
    self.count = count
    self.distinct = distinct
    self.first = first
    self.last = last
  }

  /// A table of PostgreSQL, which a test makes first.
  static let postgresql = GalleryCase("sources/postgresql", count: 2500, first: "1", last: "2500")

  /// Those that need no more than the servers of these tests.
  static let served =
    [
      GalleryCase("quickstart", id: "name", count: 312, first: "Africa/Abidjan", last: "Pacific/Tongatapu"),
      GalleryCase(
        "sources/csv_file", ["--allow-read=scripts/data"], id: "code", count: 249, first: "AD", last: "ZW"),
      GalleryCase(
        "sources/json_file", ["--allow-read=scripts/data"], id: "code", count: 249, first: "AD", last: "ZW"),
      GalleryCase(
        "sources/sqlite", ["--allow-read=scripts/data"], id: "name", count: 312, first: "Africa/Abidjan",
        last: "Pacific/Tongatapu"),
      GalleryCase(
        "sources/datasette", datasette, count: 60_000, first: "1", last: "60000"),
      GalleryCase(
        "sources/datasette_links", datasette, id: "code", count: 50_000, first: "e000001", last: "e050000"),
      GalleryCase(
        "sources/s3", aws + ["--param", "bucket=archive"], id: "key", count: 2150,
        first: "2026/a & b/00001.json",
        last: "2026/a & b/02150.json"),
      GalleryCase(
        "sources/dynamodb", aws + ["--param", "table=readings"], count: 730, first: "r0001", last: "r0730"),
      GalleryCase(
        "sources/graphql",
        ["--param", "base=http://\(Server.strawberry.address)/graphql", "--allow-net=127.0.0.1"],
        id: "serial", count: 640, first: "1", last: "640"),
      GalleryCase(
        "sources/oauth2",
        [
          "--param", "base=http://\(Server.oauth2.address)/gallery,uses=9", "--secret", "secret=s3cret+key",
          "--allow-net=127.0.0.1",
        ], count: 500, first: "1", last: "500"),
      GalleryCase("policies/feed", count: 200, first: "1", last: "200"),
    ]
    + ["combined", "hide_latency", "hungry", "patient", "remaining_time"].map { policy in
      GalleryCase(
        "policies/\(policy)", run: "policies/feed", ["--param", "policy=\(policy)"], count: 200, first: "1",
        last: "200")
    }
    + ["cursor", "keyset", "link_header", "offset", "page_number"].map { source in
      GalleryCase("sources/\(source)", faults("items=2500"), count: 2500, first: "1", last: "2500")
    }
    + [
      GalleryCase(
        "workflows/collection", id: "kind", count: 5, distinct: 4, first: "deletedItems",
        last: "invalidItemCount"),
      GalleryCase("workflows/item_set", faults("items=2500"), count: 300, first: "1", last: "300"),
      GalleryCase(
        "workflows/join_details", faults("items=300"), id: "size", count: 300, first: "2024",
        last: "2467"),
      GalleryCase(
        "workflows/prefetch_details", faults("items=300"), id: "size", count: 300, first: "2024",
        last: "2467"),
      GalleryCase(
        "workflows/parent_child", faults("items=300/groups=7"), count: 300, first: "1", last: "294"),
      GalleryCase(
        "workflows/two_streams", faults("items=300/groups=7") + ["--tag"], id: "_stream", count: 307,
        distinct: 2,
        first: "groups", last: "items"),
    ]

  static let all = served + [postgresql]

  private static func faults(_ settings: String) -> [String] {
    ["--param", "base=\(Server.faults.base(run: "gallery", settings))", "--allow-net=127.0.0.1"]
  }

  private static let aws = [
    "--param", "base=http://\(Server.moto.address)", "--param", "id=tests", "--secret", "key=tests",
    "--allow-net=127.0.0.1",
  ]

  private static let datasette = [
    "--param", "base=http://\(Server.datasette.address)", "--allow-net=\(Server.datasette.address)",
  ]
}
