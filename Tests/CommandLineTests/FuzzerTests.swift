import Foundation
import Scripting
import Testing

/// The fuzzer itself: what it asks for, and what it sees.
@Suite(.waiting) struct FuzzerTests {
  @Test func `every function, method and field of the description has its turn`() {
    let names = Set(FuzzTarget.all.map(\.name))

    for module in APIDescription.modules {
      #expect(names.isSuperset(of: module.functions.map { "\(module.path).\($0.name)" }))
    }
    for type in APIDescription.classes where type.role == .object {
      #expect(names.isSuperset(of: type.methods.map { "\(type.word):\($0.name)" }))
      #expect(names.isSuperset(of: type.fields.map { "\(type.word).\($0.name)" }))
    }
  }

  @Test(arguments: APIDescription.classes.filter { $0.role == .keys }.map(\.name))
  func `every key that a call takes has its turn`(name: String) throws {
    let type = try #require(APIDescription.type(named: name))
    let places = FuzzCalls.places.map(\.place)

    for field in type.fields {
      #expect(places.contains { $0.hasSuffix(".\(field.name)") }, "\(name).\(field.name)")
    }
  }

  @Test func `an object of every class of the description is made`() throws {
    let statements = FuzzTarget.objects.map { type in
      "with(\"\(type.name)\", function(object) print(object ~= nil and \"right\", \"\(type.name)\") end)"
    }

    #expect(try right(statements) == Set(FuzzTarget.objects.map(\.name)))
  }

  @Test func `calls with what they accept are accepted`() throws {
    let targets = FuzzTarget.all.filter { $0.returned([]) != nil }
    let statements = targets.map { target in
      let call = target.call(on: "", ArgumentWriter().arguments(target.parameters, of: target.name))
      return "print(pcall(function() return \(call) end) and \"right\", \"\(target.name)\")"
    }

    #expect(try right(statements) == Set(targets.map(\.name)))
  }

  /// What the steps of a script call right.
  private func right(_ statements: [String]) throws -> Set<String> {
    let bench = try FuzzBench(server: Server.faults.base(run: "fuzzer", "items=30"))
    // Nothing is given up here: a driver takes its time.
    let text = bench.script.text(statements).replacing("local turns = 10", with: "local turns = 5000")
    try text.write(toFile: "\(bench.folder)/feed.lua", atomically: false, encoding: .utf8)
    let ending = try FuzzProcess(arguments: FuzzCourse.all[0].arguments, folder: bench.folder).run()
    let lines = ending.text.split(separator: "\n").filter { $0.hasPrefix("right\t") }
    return Set(lines.map { String($0.dropFirst("right\t".count)) })
  }

  @Test func `equal seeds make equal calls`() {
    var first = FuzzCalls(values: ["nil", "1"], library: ["print"], seed: 7)
    var second = FuzzCalls(values: ["nil", "1"], library: ["print"], seed: 7)
    var other = FuzzCalls(values: ["nil", "1"], library: ["print"], seed: 8)

    let calls = (0..<200).map { _ in first.next() }

    #expect(calls == (0..<200).map { _ in second.next() })
    #expect(calls != (0..<200).map { _ in other.next() })
  }

  @Test(arguments: [
    ("kill -SEGV $$", FuzzFinding.Kind.signal), ("kill -ABRT $$", .signal), ("exit 70", .bug),
    ("echo 'Fatal error: no'", .panic), ("while true; do :; done", .hang),
  ])
  func `what none may is seen`(line: String, kind: FuzzFinding.Kind) throws {
    let scratch = try Scratch()
    var process = FuzzProcess(program: "/bin/sh", arguments: ["-c", line], folder: scratch.path)
    process.seconds = 1

    let finding = FuzzFinding(try process.run(), megabytes: 300)

    #expect(finding?.kind == kind)
  }

  @Test func `an address is seen, with the step that showed it`() {
    let found = FuzzFinding.address(in: "error: #1\n0x10\nerror: #2\ntable: 0x55d60d2373d0\n")

    #expect(found?.step == 2)
    #expect(found?.evidence == "0x55d60d2373d0")
  }

  @Test(arguments: [0, 1, 2, 65, 77])
  func `an exit code that says what happened is no finding`(code: Int) throws {
    let scratch = try Scratch()
    let process = FuzzProcess(program: "/bin/sh", arguments: ["-c", "exit \(code)"], folder: scratch.path)

    #expect(FuzzFinding(try process.run(), megabytes: 300) == nil)
  }
}
