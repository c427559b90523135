// swift-tools-version: 6.1
import PackageDescription

/// Whether `scripts/test.sh` builds this: as a release, but with exclusive access to variables checked as it is run, and with the hole
/// that tests of the cage put back.
let isTested = Context.environment["TESTS_OF_LOOKAHEAD"] != nil

/// What all targets are compiled with.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// What the machine and all that computes with it is compiled with: tests take it through many millions of steps. In a release each
/// function is a section of its own, which the linker may put where it likes.
let computing: [SwiftSetting] =
  common + [
    .unsafeFlags(
      isTested
        ? ["-enforce-exclusivity=checked", "-num-threads", "2"]
        : ["-enforce-exclusivity=unchecked", "-Xfrontend", "-function-sections"],
      .when(configuration: .release))
  ]

/// What the rest is compiled with, tests too: not optimized where it is tested, which is built sooner.
let features: [SwiftSetting] =
  isTested
  ? common + [
    .unsafeFlags(
      ["-Onone", "-num-threads", "2", "-enforce-exclusivity=checked"], .when(configuration: .release)),
    .define("DEBUG"),
  ]
  : computing

/// How Lua is linked: statically.
let lua: [LinkerSetting] = [.linkedLibrary(":liblua5.4.a"), .linkedLibrary("m"), .linkedLibrary("dl")]

/// Scripts to start from, compiled into the program.
let templates = ["source", "policy", "experiment", "workflow"].map {
  Resource.embedInCode("Templates/\($0).lua")
}

/// The chapters of the manual, compiled into the program.
let chapters = [
  "first-source", "scripts", "api", "databases", "run", "output", "remember", "beyond", "refresh", "record",
  "watch",
  "get", "repl",
  "browse",
  "lab",
  "check", "permissions", "security", "environment", "how-it-works",
].map { Resource.embedInCode("Manual/Chapters/\($0).md") }

/// The Lua half of `lookahead get`, compiled into the program.
let getting = [
  "get", "asking", "comparing", "counted", "counting", "expressions", "given", "helpers", "leads", "lists",
  "names", "places",
  "search", "shapes", "signs", "standing", "steps", "trying", "ways", "writing",
].map { Resource.embedInCode("Getting/\($0).lua") }

/// Test cases that are data.
let cases: [Resource] = [.copy("Cases")]

/// How a release is linked: with the toolchain's own linker; without the lines of code behind addresses, which are more than half
/// of the file, while the names of functions stay; without names for libraries that would look for some here, of which there are
/// none; with the addresses to settle at each start packed, which needs glibc 2.36 (Debian 12); and with the functions that most runs
/// go through side by side, as what lies between them would take memory, too (`Benchmarks/functions.py` lists them).
let linking =
  ["-use-ld=lld"]
  + [
    "--strip-debug", "--no-export-dynamic", "-z", "pack-relative-relocs", "--no-warn-symbol-ordering",
    "--symbol-ordering-file=\(Context.packageDirectory)/scripts/functions.txt",
  ].flatMap { ["-Xlinker", $0] }

let package = Package(
  name: "lookahead",
  products: [.executable(name: "lookahead", targets: ["lookahead"])]
    + [
      "Lua", "Text", "Items", "JSON", "Paging", "Listing", "Experiments", "Scripting", "Hosting",
      "Simulation", "Reports", "Serving", "Terminal",
    ].map {
      .library(name: $0, targets: [$0])
    },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .executableTarget(name: "PreludeCompiler", linkerSettings: lua),
    .plugin(
      name: "CompilePrelude", capability: .buildTool(), dependencies: ["PreludeCompiler"],
      path: "scripts/CompilePrelude"),
    .target(name: "CLua", linkerSettings: lua),
    .target(
      name: "CJSON",
      linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]),
    .target(name: "CLuaJSON", dependencies: ["CJSON"]),
    .target(
      name: "CCurl",
      linkerSettings: [.linkedLibrary(":libdeflate.a"), .linkedLibrary("z"), .linkedLibrary("dl")]),
    .target(name: "CADBC", dependencies: ["CJSON"], linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "CPacking", linkerSettings: [.linkedLibrary(":libzstd.a"), .linkedLibrary("z")]),
    .target(name: "CXML", linkerSettings: [.linkedLibrary(":libexpat.a")]),
    .target(name: "CSQLite", dependencies: ["CJSON"], linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CCage", cSettings: isTested ? [.define("DEBUG")] : []),
    .target(name: "CCrypto", linkerSettings: [.linkedLibrary(":libcrypto.a")]),
    .target(name: "Lua", dependencies: ["CLua", "CJSON", "CLuaJSON"], swiftSettings: features),
    .target(name: "CText", linkerSettings: [.linkedLibrary("utf8proc")]),
    .target(name: "Text", dependencies: ["CText"], swiftSettings: features),
    .target(name: "Items", swiftSettings: computing),
    .target(name: "JSON", dependencies: ["CJSON", "Text", "Items"], swiftSettings: computing),
    .target(
      name: "Paging",
      dependencies: ["Items", .product(name: "HeapModule", package: "swift-collections")],
      swiftSettings: computing),
    .target(name: "Listing", dependencies: ["Paging", "Items"], swiftSettings: computing),
    .target(name: "Experiments", dependencies: ["Paging", "Items"], swiftSettings: computing),
    .target(
      name: "Scripting",
      dependencies: [
        "Lua", "Listing", "Experiments", "Paging", "Items", "JSON",
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      exclude: ["Prelude"], swiftSettings: features, plugins: ["CompilePrelude"]),
    .target(
      name: "Hosting",
      dependencies: [
        "Listing", "Paging", "Items", "JSON", "Text", "CADBC", "CCage", "CCurl", "CCrypto", "CPacking",
        "CSQLite", "CXML",
      ],
      swiftSettings: features),
    .target(
      name: "CTerminal",
      // Static, as Lua is: five libraries less to load at each start.
      linkerSettings: ["edit", "ncursesw", "tinfo", "bsd", "md"].map { .linkedLibrary(":lib\($0).a") }),
    .target(
      name: "Terminal", dependencies: ["CTerminal", "Listing", "Paging", "Items", "JSON", "Text"],
      swiftSettings: features),
    .target(
      name: "Simulation", dependencies: ["Experiments", "Paging", "Items", "JSON"],
      swiftSettings: computing),
    .target(
      name: "Reports", dependencies: ["Experiments", "Paging", "Items", "JSON", "Text"],
      resources: [
        "Document/ReportScript.js", "Document/ReportStyle.css", "Runs/RunScript.js", "Runs/RunStyle.css",
      ]
      .map { .embedInCode($0) },
      swiftSettings: features),
    .target(
      name: "Serving",
      dependencies: ["NIOCore", "NIOHTTP1", "NIOPosix"].map { .product(name: $0, package: "swift-nio") },
      swiftSettings: features),
    .executableTarget(
      name: "lookahead",
      dependencies: [
        "Scripting", "Hosting", "Simulation", "Reports", "Serving", "Terminal", "Lua", "Listing",
        "Experiments",
        "Paging", "Items", "JSON", "Text",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: templates + chapters + getting, swiftSettings: features,
      linkerSettings: [.unsafeFlags(linking, .when(configuration: .release))]),
    .target(
      name: "TestSupport", dependencies: ["Paging", "Items"], path: "Tests/TestSupport",
      swiftSettings: features),
    .testTarget(name: "ArchitectureTests", swiftSettings: features),
    .testTarget(
      name: "LuaTests", dependencies: ["TestSupport", "Lua", "JSON", "Items"], resources: cases,
      swiftSettings: features),
    .testTarget(name: "TextTests", dependencies: ["Text"], swiftSettings: features),
    .testTarget(
      name: "ItemsTests", dependencies: ["TestSupport", "Items"], resources: cases, swiftSettings: features),
    .testTarget(name: "JSONTests", dependencies: ["TestSupport", "JSON", "Items"], swiftSettings: features),
    .testTarget(
      name: "PagingTests", dependencies: ["TestSupport", "Paging", "Items"], resources: cases,
      swiftSettings: features),
    .testTarget(
      name: "ListingTests", dependencies: ["TestSupport", "Listing", "Paging", "Items"], resources: cases,
      swiftSettings: features),
    .testTarget(
      name: "ScriptingTests",
      dependencies: ["TestSupport", "Scripting", "Simulation", "Experiments", "Paging", "Items", "Lua"],
      resources: cases, swiftSettings: features),
    .testTarget(
      name: "HostingTests", dependencies: ["TestSupport", "Hosting", "Listing", "Paging", "Items", "JSON"],
      swiftSettings: features),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["TestSupport", "Simulation", "Reports", "Experiments", "Paging", "Items"],
      resources: cases, swiftSettings: features),
    .testTarget(
      name: "ReportsTests", dependencies: ["Reports", "Experiments", "Paging", "Items"], resources: cases,
      swiftSettings: features),
    .testTarget(name: "ServingTests", dependencies: ["Serving"], swiftSettings: features),
    .testTarget(
      name: "TerminalTests", dependencies: ["Terminal", "Listing", "Paging", "Items", "Text"],
      swiftSettings: features
    ),
    .testTarget(
      name: "CommandLineTests", dependencies: ["TestSupport", "lookahead", "Simulation", "Scripting"],
      resources: cases,
      swiftSettings: features),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
