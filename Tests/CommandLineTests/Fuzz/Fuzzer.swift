import Foundation

/// Runs statements in child processes, many in each, and finds the one that does what none may.
struct Fuzzer {
  private let script: FuzzScript
  private let course: FuzzCourse
  private let folder: String

  private(set) var findings: [FuzzFinding] = []
  private(set) var calls = 0
  private(set) var processes = 0

  init(_ script: FuzzScript, _ course: FuzzCourse, in folder: String) {
    self.script = script
    self.course = course
    self.folder = folder
  }

  /// Makes the calls of a course from a seed, and runs them.
  mutating func run(_ course: FuzzCourse, seed: UInt64, on bench: FuzzBench) throws {
    var calls = FuzzCalls(values: bench.values.names, library: bench.library, seed: seed)
    if course.isEnding {
      for _ in 0..<course.calls { try run(ending: calls.ending()) }
    } else {
      try run((0..<course.calls).map { _ in calls.next() })
    }
  }

  /// Runs all of them; a process that ends early is followed by one with the statements behind.
  mutating func run(_ statements: [String]) throws {
    var first = 0
    while first < statements.count {
      first += try run(part: Array(statements[first..<min(first + 100, statements.count)]))
    }
  }

  /// Runs a script that ends so, in a process of its own.
  mutating func run(ending: String) throws {
    calls += 1
    let seen = try end(of: script.text(ending: ending))
    var finding = FuzzFinding(seen, megabytes: course.megabytes, mayWait: true)
    if finding == nil, let (_, evidence) = FuzzFinding.address(in: seen.text) {
      finding = FuzzFinding(kind: .address, evidence: evidence)
    }
    note(finding, ending)
  }

  /// Runs some of them in one process, and says how many are done with.
  private mutating func run(part: [String]) throws -> Int {
    let ending = try end(of: script.text(part))
    let found = finding(ending)
    guard let last = course.isSilent ? part.count : ending.lastStep ?? (found == nil ? nil : 1) else {
      throw FuzzFailure(text: String(ending.text.suffix(400)))
    }
    if let (step, evidence) = FuzzFinding.address(in: ending.text) {
      note(FuzzFinding(kind: .address, evidence: evidence), part[max(step, 1) - 1])
    }
    var done = last
    if let found {
      try find(found, in: Array(part[..<last]))
    } else if last < part.count {
      // A limit ended it: the last one runs again with all that it may use, unless it was alone already.
      done = max(last - 1, 1)
    }
    calls += done
    return done
  }

  private mutating func end(of text: String) throws -> FuzzProcess.Ending {
    let file = "\(folder)/feed.lua"
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    processes += 1
    var process = FuzzProcess(arguments: course.arguments, folder: folder)
    if course.isTyped { process.input = file }
    // A command without limits lets a script compute for ten seconds.
    if course.isEnding, course.arguments.contains("--max-cpu") { process.seconds /= 2 }
    return try process.run()
  }

  private func finding(_ ending: FuzzProcess.Ending) -> FuzzFinding? {
    FuzzFinding(ending, megabytes: course.megabytes)
  }

  private mutating func note(_ finding: FuzzFinding?, _ statement: String) {
    guard var finding else { return }
    finding.statement = statement
    findings.append(finding)
  }

  /// The last statement alone does it, or the fewest of those before it that bring it about.
  private mutating func find(_ seen: FuzzFinding, in statements: [String]) throws {
    if let last = statements.last, let alone = finding(try end(of: script.text([last]))) {
      note(alone, last)
    } else {
      note(seen, try shrink(statements).joined(separator: "\n"))
    }
  }

  /// Drops halves, quarters, … of the statements for as long as the rest still does it.
  private mutating func shrink(_ statements: [String]) throws -> [String] {
    var needed = statements
    var size = needed.count / 2
    while size > 0 {
      var start = 0
      while start < needed.count {
        let rest = Array(needed[..<start] + needed[min(start + size, needed.count)...])
        if !rest.isEmpty, finding(try end(of: script.text(rest))) != nil {
          needed = rest
        } else {
          start += size
        }
      }
      size /= 2
    }
    return needed
  }
}

/// Why no step of a script began.
struct FuzzFailure: Error {
  let text: String
}
