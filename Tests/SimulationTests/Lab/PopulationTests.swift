import Experiments
import Paging
import Simulation
import Testing

/// Readers and networks from several files: who meets whom, and what an interval is about.
@Suite struct PopulationTests {
  /// Readers who go through 30, 60, … items at the same pace.
  private func readers(_ count: Int) -> [WorldFile] {
    (1...count).map { reader in
      let rows = (0...reader * 3).map { "\($0 * 400),\($0 * 10),\($0 * 10 + 6)" }
      return WorldFile(
        name: "reader \(reader)", contents: (["t_ms,first,last"] + rows).joined(separator: "\n"),
        place: "readers")
    }
  }

  private func networks(_ count: Int) -> [WorldFile] {
    (1...count).map { WorldFile(name: "network \($0)", contents: "0.\($0)\n", place: "networks") }
  }

  private func experiment(
    readers: Int, networks: Int, sessions: Int, _ policies: [String] = ["onDemand", "leadingScreens(1)"]
  ) throws -> Experiment {
    var experiment = try LabRig.experiment(policies, workload: "", sessions: sessions)
    experiment.workloads = [WorldDescription("trace:readers", files: self.readers(readers))]
    experiment.networks = [WorldDescription("measured:networks", files: self.networks(networks))]
    return experiment
  }

  private func pairs(_ experiment: Experiment) throws -> [[Int]] {
    try Lab(LabRig.options()).run(experiment).row("onDemand").scores.map { [$0.reader, $0.network] }
  }

  @Test(arguments: [(5, 3), (4, 6), (6, 4), (3, 3), (7, 1)])
  func `every reader meets every network before any pair comes up again`(readers: Int, networks: Int) throws {
    let pairs = try pairs(
      try experiment(readers: readers, networks: networks, sessions: 2 * readers * networks))

    let first = pairs.prefix(readers * networks)
    #expect(Set(first).count == readers * networks)
    #expect(Set(pairs.prefix(readers).map { $0[0] }) == Set((1...readers).map { -$0 }))
    #expect(Set(pairs.prefix(readers)).count == readers)
    #expect(Array(pairs.dropFirst(readers * networks)) == Array(first))
  }

  @Test func `paired readers and networks stay together`() throws {
    var experiment = try experiment(readers: 4, networks: 4, sessions: 20)
    experiment.isPaired = true

    #expect(try pairs(experiment) == (0..<20).map { [-1 - $0 % 4, $0 % 4] })
  }

  @Test(arguments: [
    (4, 3, "4 readers and 3 networks"), (1, 1, "1 reader and 1 network"), (2, 1, "2 readers and 1 network"),
  ])
  func `what can't be paired is refused`(readers: Int, networks: Int, got: String) throws {
    var experiment = try experiment(readers: readers, networks: networks, sessions: 20)
    experiment.isPaired = true

    let error = #expect(throws: ExperimentError.self) { try Lab(LabRig.options()).run(experiment) }

    #expect(
      error == ExperimentError("--paired", expected: "as many readers as networks, several of each", got: got)
    )
  }

  @Test func `worlds of a mixture have their shares, at any time`() throws {
    var experiment = try experiment(readers: 2, networks: 1, sessions: 80)
    experiment.workloads[0].text = "3 fling:flings=2 + 1 trace:readers"

    let isRecorded = try pairs(experiment).map { $0[0] < 0 }

    #expect(isRecorded.count { $0 } == 20)
    for end in stride(from: 4, through: 80, by: 4) { #expect(isRecorded.prefix(end).count { $0 } == end / 4) }
    #expect(try pairs(experiment).map { $0[0] }.filter { $0 < 0 } == (0..<20).map { -2 - $0 % 2 })
  }

  /// A hundred sessions of six readers know of six readers.
  @Test(arguments: [6, 60, 10_008]) func `an interval is about readers, however often they are met`(
    sessions: Int
  ) throws {
    let once = try Lab(LabRig.options()).run(try experiment(readers: 6, networks: 1, sessions: 6))
    let often = try Lab(LabRig.options()).run(try experiment(readers: 6, networks: 1, sessions: sessions))
    for metric in [Metric.stall, .waste, .requests] {
      let one = try #require(try once.row("onDemand").summaries[metric])
      let other = try #require(try often.row("onDemand").summaries[metric])
      #expect(abs(one.mean - other.mean) < 1e-9)
      #expect(abs(one.low - other.low) < 1e-9 && abs(one.high - other.high) < 1e-9)
      let difference = try #require(try once.row("leadingScreens(1)").comparisons[metric])
      let repeated = try #require(try often.row("leadingScreens(1)").comparisons[metric])
      #expect(abs(difference.low - repeated.low) < 1e-9 && abs(difference.high - repeated.high) < 1e-9)
      #expect(repeated.readers == 6)
      #expect(repeated.pairs == sessions)
      #expect(difference.verdict == repeated.verdict)
    }
  }

  @Test func `five readers resolve nothing, however often they are met`() throws {
    let result = try Lab(LabRig.options()).run(try experiment(readers: 5, networks: 1, sessions: 500))

    #expect(try result.row("leadingScreens(1)").comparisons[.stall]?.verdict == .notResolved)
  }

  /// The sixth stands still, so that no policy makes a difference to it, whether or not it is met as often as the others.
  @Test(arguments: [6, 7, 200, 204, 10_010])
  func `a reader whose sessions are equal is none of those that differ, however often all are met`(
    sessions: Int
  ) throws {
    var experiment = try experiment(readers: 6, networks: 1, sessions: sessions)
    experiment.workloads[0].files[5].contents = "t_ms,first,last\n0,0,6\n5000,0,6"

    let result = try Lab(LabRig.options()).run(experiment)

    let rows = [try result.row("onDemand"), try result.row("leadingScreens(1)")]
    let comparison = try #require(rows[1].comparisons[.stall])
    #expect(comparison.differing == 5 && comparison.readers == 6 && comparison.pairs == sessions)
    #expect(comparison.verdict == .notResolved && comparison.adjustedVerdict == .notResolved)
    #expect(rows[0].mayBeBest && rows[1].mayBeBest)
  }

  @Test(arguments: [6, 200, 204, 10_010])
  func `six readers that differ resolve what five do not`(sessions: Int) throws {
    let result = try Lab(LabRig.options()).run(try experiment(readers: 6, networks: 1, sessions: sessions))

    let comparison = try #require(try result.row("leadingScreens(1)").comparisons[.stall])
    #expect(comparison.differing == 6 && comparison.verdict == .better)
    let (best, other) = (try result.row("leadingScreens(1)"), try result.row("onDemand"))
    #expect(best.mayBeBest && !other.mayBeBest)
  }

  @Test func `sums of readers have differences, and the mean of their values is that of all sessions`() {
    let readers = [-1, -2, -1, -3, -1, -2]
    let sums = ReaderSums([0.1, 0.2, 0.3, 5, 0.7, 0.4], readers: readers)
    let others = ReaderSums([0.1, 0.1, 0.3, 5, 0.7, 0.1], readers: readers)

    let differences = sums - others

    #expect(differences.count == 3 && differences.differing == 1)
    let (mean, meanDifference) = (Moments(sums.values).mean, Moments(differences.values).mean)
    #expect(abs(mean - 6.7 / 6) < 1e-12)
    #expect(abs(meanDifference - 0.4 / 6) < 1e-12)
    #expect(!sums.isAlike(ReaderSums([0.1, 0.2, 0.3], readers: [-1, -2, -3])))
    // Sessions of readers that are not recorded are what they are.
    #expect(ReaderSums([0.1, 0.2], readers: [0, 1]).values == [0.1, 0.2])
  }

  @Test func `one recorded reader is known to be one, however many sessions`() throws {
    func isOne(_ experiment: Experiment) throws -> Bool {
      let rows = try Lab(LabRig.options()).run(experiment).rows
      return !rows.isEmpty && rows.allSatisfy(\.isOneReader)
    }

    #expect(try isOne(try experiment(readers: 1, networks: 3, sessions: 12)))
    #expect(try !isOne(try experiment(readers: 2, networks: 1, sessions: 12)))
    #expect(try !isOne(try LabRig.experiment(["onDemand"], workload: "steady", sessions: 12)))
  }

  /// Readers differ much and their sessions little: an interval over sessions would miss the population's mean nearly always.
  @Test func `intervals of clustered values cover the mean`() {
    var random = RandomStream(seed: 11, "clusters")
    var covered = 0
    for _ in 0..<400 {
      var (values, readers): ([Double], [Int]) = ([], [])
      for reader in 1...20 {
        let own = Double(random.next().nonzeroBitCount - 32)
        // Some are met more often than others.
        for _ in 0..<(reader % 3 + 4) {
          values.append(own + Double(random.next().nonzeroBitCount - 32) / 10)
          readers.append(-reader)
        }
      }
      let sums = ReaderSums(values, readers: readers)
      if Moments(sums.values).interval().contains(0) { covered += 1 }
    }
    #expect(366...394 ~= covered, "\(covered) of 400")
  }

  @Test func `no reader is on both sides of a holdout`() throws {
    let result = try Lab(LabRig.options { $0.holdout = 0.5 }).run(
      try experiment(readers: 24, networks: 2, sessions: 96))
    func readers(_ part: LabRow.Part) throws -> Set<Int> {
      let row = try #require(result.rows.first { $0.part == part && $0.setting.policy == "onDemand" })
      return Set(row.scores.map(\.reader))
    }

    #expect(try readers(.train).isDisjoint(with: try readers(.holdout)))
    #expect(try readers(.train).count + readers(.holdout).count == 24)
  }

  @Test func `a file that is no trace is named`() throws {
    var experiment = try experiment(readers: 2, networks: 1, sessions: 4)
    experiment.workloads[0].files[1].contents = "t_ms,first,last\nsoon,0,6"

    let error = #expect(throws: ExperimentError.self) { try Lab(LabRig.options()).run(experiment) }

    #expect(error?.place == "workload 'trace:readers': reader 2: line 2")
  }

  @Test(arguments: ["3 fling 1 jumper", "0 fling", "-1 fling", "2", "1 fling + jumper", "1 fling + "])
  func `a mixture without weights is refused`(text: String) {
    #expect(throws: InvalidWorld.self) { try WorldMixture(text) }
  }
}
