import Testing

/// The experiments of the gallery, and the page that says what they show.
@Suite(.waiting) struct ExperimentTests {
  @Test(arguments: ExperimentCase.all)
  func `an experiment has a row for every policy, and the same ones on any number of threads`(
    experiment: ExperimentCase
  ) throws {
    let first = try Command.lookahead(["lab", experiment.script, "--sessions", "6"]).run()
    let second = try Command.lookahead(["lab", experiment.script, "--sessions", "6", "--jobs", "1"]).run()

    #expect(first.exitCode == 0, "\(first.errors)")
    #expect(first.errors == "")
    #expect(first.output == second.output)
    let tables = LabTable.all(in: first.output)
    #expect(tables.map(\.world) == experiment.worlds)
    for table in tables {
      let policies = table.rows.filter { !$0.isOracle }.map(\.policy)
      #expect(policies.count == experiment.policies.count)
      #expect(Set(policies) == experiment.policies)
      #expect(table.rows.contains { $0.isOracle })
      #expect(table.rows.allSatisfy { $0.figures.count == 8 })
    }
  }

  @Test func `every experiment has a section with its command`() {
    let pages = ExperimentPage.all

    #expect(pages.map(\.script).sorted() == Repository.experiments)
    #expect(ExperimentCase.all.map(\.script) == Repository.experiments)
    #expect(pages.allSatisfy { $0.command == "scripts/lookahead lab \($0.script)" })
  }

  @Test(arguments: ExperimentPage.all)
  func `a section shows rows that its command brings`(page: ExperimentPage) throws {
    let experiment = try #require(ExperimentCase.all.first { $0.script == page.script })

    #expect(!page.tables.isEmpty)
    for table in page.tables {
      let policies = table.rows.filter { !$0.isOracle }.map(\.policy)
      #expect(experiment.worlds.contains(table.world))
      #expect(policies.count >= 3)
      #expect(experiment.policies.isSuperset(of: policies))
    }
  }

  /// The whole runs take too long for a test. No row depends on the others, so one of each section is made again alone.
  @Test(arguments: ExperimentCase.all)
  func `the numbers of a section are what comes out of the lab`(experiment: ExperimentCase) throws {
    let page = try #require(ExperimentPage.all.first { $0.script == experiment.script })
    let shown = page.tables.first { $0.world == experiment.world }?.rows.first {
      $0.policy == experiment.policy
    }
    let sessions = try #require(page.sessions)

    let result = try Command.lookahead(["lab", "--sessions", sessions] + experiment.arguments).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    let alone = try #require(LabTable.all(in: result.output).first?.rows.first)
    #expect(alone.figures.count == 8)
    #expect(alone.ownFigures == shown?.ownFigures)
  }

  /// What a table of others says, of readers that nobody has recorded: only its order can hold here.
  @Test func `event fetch is late more often than a timer, and both less often with more rows`() throws {
    let result = try Command.lookahead([
      "lab", "scripts/experiments/events_against_timer.lua", "--sessions", "8", "--format", "csv",
    ]).run()
    var violations: [String: Double] = [:]
    var wasted: [String: Double] = [:]
    for line in result.output.split(separator: "\n") {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == 10, !cells[7].isEmpty, let value = Double(cells[9]) else { continue }
      let row = "\(cells[4]) \(cells[5])"
      if cells[8] == "stalls" { violations[row, default: 0] += value - 1 }
      if cells[8] == "waste" { wasted[row, default: 0] += value }
    }
    let event = [12, 30, 58, 80].compactMap { violations["event \($0)"] }
    let timer = [12, 30, 58, 80].compactMap { violations["timer \($0)"] }
    let ours = try #require(violations["leadingScreens 12"])
    let waste = try #require(wasted["leadingScreens 12"])

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(event.count == 4 && event == event.sorted(by: >), "\(event)")
    #expect(timer.count == 4 && timer == timer.sorted(by: >), "\(timer)")
    #expect(zip(event, timer).allSatisfy { $0 > $1 }, "\(event) \(timer)")
    #expect(ours < event[2] / 2 && waste * 50 < (wasted["timer 58"] ?? 0))
  }
}
