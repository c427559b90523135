import Foundation

/// What a person may say about the fuzzer in the environment.
enum FuzzSettings {
  /// `FUZZ_SECONDS`: how long the long form runs each course; without it there is the short form.
  static let seconds = value("FUZZ_SECONDS").flatMap(Double.init)

  /// `FUZZ_SEED`: what the long form adds to its seeds.
  static let firstSeed = value("FUZZ_SEED").flatMap(UInt64.init) ?? UInt64.random(in: 0..<1 << 40)

  /// `FUZZ_SANITIZED`: the program was built with a sanitizer, which needs memory of its own.
  static let isSanitized = value("FUZZ_SANITIZED") != nil

  /// `FUZZ_BINARY`: the program, where it is not the one that was built beside these tests.
  static let binary = value("FUZZ_BINARY") ?? Repository.binary

  /// `FUZZ_BELOW`: what the program runs below, as valgrind and its options, which takes its time.
  static let below = value("FUZZ_BELOW")?.split(separator: " ").map(String.init) ?? []

  /// How much longer everything takes than it should.
  static let patience = below.isEmpty ? 1 : 20

  /// Variables that a sanitizer reads.
  static let passedOn = ["ASAN_OPTIONS", "UBSAN_OPTIONS"].compactMap { name in
    value(name).map { "\(name)=\($0)" }
  }

  private static func value(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
