// swift-tools-version: 6.1
import PackageDescription

/// Where a checkout of DifferenceKit is; without one it is left out.
let differenceKit = Context.environment["DIFFERENCEKIT"]

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "lookahead", path: "..")]
    + (differenceKit.map { [.package(path: $0)] } ?? []),
  targets: [
    .target(
      name: "RawLua",
      linkerSettings: [.linkedLibrary(":liblua5.4.a"), .linkedLibrary("m"), .linkedLibrary("dl")]),
    .executableTarget(
      name: "PolicyDecision",
      dependencies: ["RawLua", .product(name: "Lua", package: "lookahead")]),
    .executableTarget(
      name: "Jobs",
      dependencies: ["Hosting", "Terminal", "Listing", "Paging", "Items"].map {
        .product(name: $0, package: "lookahead")
      }),
    .executableTarget(
      name: "Prompting",
      dependencies: ["Scripting", "Paging"].map { .product(name: $0, package: "lookahead") }),
    .executableTarget(
      name: "Differences",
      dependencies: ["Items", "Listing"].map { .product(name: $0, package: "lookahead") }
        + (differenceKit == nil ? [] : [.product(name: "DifferenceKit", package: "DifferenceKit")])),
  ],
  swiftLanguageModes: [.v6]
)
