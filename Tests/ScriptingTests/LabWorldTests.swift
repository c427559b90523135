import Experiments
import Paging
import Scripting
import Simulation
import Testing

@Suite struct LabWorldTests {
  /// A workload or network of a script, and what the lab is told of it.
  struct World: Decodable, Sendable, CustomTestStringConvertible {
    /// `workloads` or `networks`.
    let kind: String
    let world: String
    let text: String
    let name: String?
    let contents: String?
    var testDescription: String { world }
  }

  private static let worlds: [World] = cases("lab-worlds")

  @Test(arguments: worlds)
  func `a world becomes the text that the lab reads`(_ given: World) throws {
    let experiment = try experiment("\(given.kind) = { \(given.world) }")
    let found = given.kind == "workloads" ? experiment.workloads : experiment.networks

    #expect(found == [WorldDescription(given.text, name: given.name, contents: given.contents)])
  }

  @Test(arguments: worlds)
  func `the lab can read the text of a world`(_ given: World) throws {
    let text = try WorldText(given.text)

    if given.kind == "workloads" {
      _ = try Workload(text, contents: given.contents)
    } else {
      _ = try Network(text, contents: given.contents)
    }
  }

  @Test(arguments: WorkloadKind.allCases)
  func `scripts can set every number of a kind, and no other`(_ kind: WorkloadKind) throws {
    let numbers = kind.parameters.map { "\($0.name) = \($0.standard)" }.joined(separator: ", ")
    let contents = kind == .trace ? "contents = 'x', " : ""
    let common = [
      "contents", "edge", "file", "items", "kind", "name", "patience", "patienceSigma", "platform",
      "viewport",
    ]

    let run = try ScriptRun(
      """
      lookahead.workload { kind = "\(kind.rawValue)", \(contents)\(numbers) }
      lookahead.workload { kind = "\(kind.rawValue)", \(contents)zzzzzzzzzz = 1 }
      """)

    let listed = run.failure?.firstMatch(of: /known: (.*)\)/)?.1.split(separator: ", ").map(String.init) ?? []
    #expect(run.failure?.hasPrefix("feed.lua:2:") == true)
    #expect(listed.filter { !common.contains($0) } == kind.parameters.map(\.name).sorted())
  }

  @Test func `a recording is read when the experiment runs, from the script's folder`() throws {
    let lab = LabRecorder()
    let world = ScriptWorld()
    world.files = ["/scripts/monday.jsonl": "a trace", "/data/net.json": "[1]", "/scripts/log.json": "[2]"]

    let run = try ScriptRun(
      """
      lookahead.lab.run(lookahead.experiment {
        workloads = { lookahead.workload { kind = "trace", file = "monday.jsonl", viewport = 5 }, "fling" },
        networks = { lookahead.network { latency = { file = "/data/net.json" }, loss = 0.1 }, "measured:log.json,loss=0.2" },
      })
      """, lab: lab, in: world)

    #expect(run.failure == nil)
    #expect(lab.experiment.workloads.map { $0.files.map(\.contents) } == [["a trace"], []])
    #expect(lab.experiment.workloads.map(\.text) == ["trace:monday.jsonl,viewport=5", "fling"])
    #expect(lab.experiment.networks.map { $0.files.map(\.contents) } == [["[1]"], ["[2]"]])
  }

  @Test func `a recording that is not there ends the script where it runs the experiment`() throws {
    let run = try ScriptRun(
      "\nlookahead.lab.run(lookahead.experiment { networks = 'measured:none.json' })", lab: LabRecorder())

    #expect(run.failure == "feed.lua:2: there is no file /scripts/none.json")
    #expect(run.code == "notFound")
  }
}
