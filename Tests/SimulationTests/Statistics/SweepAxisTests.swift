import Experiments
import Paging
import Simulation
import Testing

@Suite struct SweepAxisTests {
  @Test(arguments: [
    ("factor=1..3", [1, 1.5, 2, 2.5, 3]), ("d=5,10,20", [5, 10, 20]), ("d=20,5", [20, 5]), ("d=7", [7]),
    ("x=0..1:0.25", [0, 0.25, 0.5, 0.75, 1]), ("x=0..0.4:0.1", [0, 0.1, 0.2, 0.3, 0.4]),
    ("x=0.1..0.3", [0.1, 0.15, 0.2, 0.25, 0.3]), ("x=1..10:4", [1, 5, 9]), ("x=-2..-1:0.5", [-2, -1.5, -1]),
    ("x=-1..1", [-1, -0.5, 0, 0.5, 1]), ("x=0..0.000001", [0, 0.00000025, 0.0000005, 0.00000075, 0.000001]),
    ("a=b=1", []),
  ])
  func `a sweep is read as it is written`(_ text: String, _ values: [Double]) throws {
    if values.isEmpty {
      #expect(throws: ExperimentError.self) { try SweepAxis(parsing: text) }
    } else {
      #expect(try SweepAxis(parsing: text).values == values)
      #expect(try SweepAxis(parsing: text).name == String(text.prefix { $0 != "=" }))
    }
  }

  @Test(arguments: [
    ("factor", "factor"), ("=1", "=1"), ("x=", "nothing"), ("x=1,,2", "nothing"), ("x=one", "one"),
    ("x=1..", "nothing"), ("x=..3", "nothing"), ("x=3..1", "3.0..1.0"), ("x=1..1", "1.0..1.0"),
    ("x=1..3:0", "0"), ("x=1..3:-1", "-1"), ("x=1..3:", "nothing"), ("x=1...3", ".3"), ("x=1e3", "1e3"),
    ("x=nan", "nan"), ("x=0..999999999:0.000001", "999999999000001"), ("x=1,1.0", "1.0 twice"),
    ("x=12345678901", "12345678901"), ("x=1.1234567", "1.1234567"), ("x=--1", "--1"), ("x=1..2:1:1", "1:1"),
  ])
  func `what cannot be read is shown`(_ text: String, _ got: String) {
    #expect { try SweepAxis(parsing: text) } throws: { error in
      let error = error as? ExperimentError
      return error?.got == got && error?.place == "--set " + text
    }
  }

  @Test func `no text is a trap`() {
    var dice = RandomStream(seed: 4)
    let letters = Array("x=..:,-0123456789.e ")

    for _ in 0..<5_000 {
      let text =
        "x="
        + String((0..<Int.random(in: 0...12, using: &dice)).map { _ in letters.randomElement(using: &dice)! })
      let axis = try? SweepAxis(parsing: text)
      #expect(axis.map { !$0.values.isEmpty && $0.values.allSatisfy(\.isFinite) } ?? true, "\(text)")
    }
  }

  @Test func `decimals are the nearest to what a person writes`() throws {
    let values = try SweepAxis(parsing: "x=0..100:0.1").values

    #expect(values.count == 1001)
    for (index, value) in values.enumerated() { #expect(value == Double("\(index / 10).\(index % 10)")) }
  }

  @Test func `the last axis is the fastest`() throws {
    let axes = [SweepAxis(name: "a", values: [1, 2]), SweepAxis(name: "b", values: [5, 6, 7])]

    let combinations = try SweepAxis.combinations(axes)

    #expect(combinations.map { $0.map(\.value) } == [[1, 5], [1, 6], [1, 7], [2, 5], [2, 6], [2, 7]])
    #expect(combinations[0].map(\.name) == ["a", "b"])
    #expect(try SweepAxis.combinations([]) == [[]])
  }

  @Test func `too many combinations and a parameter twice are refused`() {
    let wide = (0..<3).map { SweepAxis(name: "\($0)", values: (0..<30).map(Double.init)) }

    #expect { try SweepAxis.combinations(wide) } throws: { ($0 as? ExperimentError)?.got == "27000" }
    #expect { try SweepAxis.combinations([wide[0], wide[0]]) } throws: {
      ($0 as? ExperimentError)?.got == "0 twice"
    }
  }
}
