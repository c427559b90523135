// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "lookahead", path: "..")],
  targets: [
    .target(
      name: "RawLua",
      linkerSettings: [.linkedLibrary(":liblua5.4.a"), .linkedLibrary("m"), .linkedLibrary("dl")]),
    .executableTarget(
      name: "PolicyDecision",
      dependencies: ["RawLua", .product(name: "Lua", package: "lookahead")]),
  ],
  swiftLanguageModes: [.v6]
)
