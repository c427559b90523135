import Foundation
import Testing

/// Every function, method and field of the API description, with values that nobody expects, in child processes with small
/// limits.
///
/// A failure names the statement and the seed. What was found becomes a script in `Cases/fuzz/found`. The long form runs each
/// course for so many seconds, with seeds of its own: `FUZZ_SECONDS=600 swift test --filter APIFuzzTests`; `FUZZ_SEED` is
/// where its seeds begin.
@Suite(.waiting) struct APIFuzzTests {
  @Test(arguments: FuzzCourse.all)
  func `no call of a script ends the host or passes its limits`(course: FuzzCourse) throws {
    let bench = try FuzzBench(server: Server.faults.base(run: "fuzz\(course.seed)", "items=30"))
    var fuzzer = Fuzzer(bench.script, course, in: bench.folder)
    let start = ContinuousClock.now
    var seed = course.seed

    if let seconds = FuzzSettings.seconds {
      seed += FuzzSettings.firstSeed
      repeat {
        try fuzzer.run(course, seed: seed, on: bench)
        seed += 1000
      } while ContinuousClock.now - start < .seconds(seconds)
    } else {
      try fuzzer.run(course, seed: seed, on: bench)
    }

    let time = (ContinuousClock.now - start).formatted(
      .units(allowed: [.seconds], fractionalPart: .show(length: 1)))
    print(
      "fuzz \(course.name): \(fuzzer.calls) calls in \(fuzzer.processes) processes, \(time), "
        + "\(fuzzer.findings.count) findings")
    for finding in fuzzer.findings {
      Issue.record("seeds \(course.seed) to \(seed), \(course.name): \(finding)")
    }
  }

  @Test(arguments: FoundScript.all)
  func `what was found once does not come again`(found: FoundScript) throws {
    let bench = try FuzzBench(server: Server.faults.base(run: "found", "items=30"))
    try found.text.write(toFile: "\(bench.folder)/feed.lua", atomically: false, encoding: .utf8)

    let ending = try FuzzProcess(arguments: found.arguments, folder: bench.folder).run()

    #expect(FuzzFinding(ending, megabytes: 300) == nil, "\(ending.text.suffix(400))")
    #expect(FuzzFinding.address(in: ending.text) == nil)
    #expect(found.expected.isEmpty || ending.text.contains(found.expected))
  }
}
