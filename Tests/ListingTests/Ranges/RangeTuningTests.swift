import Listing
import Paging
import Testing

@Suite struct RangeTuningTests {
  struct Place: Decodable {
    let container: String?
    let range_mode: String?
    let range_type: String?
  }
  struct Screens: Decodable {
    let leading_screenfuls: Double?
    let trailing_screenfuls: Double?
    let value: Double?
  }
  struct Geometry: Decodable {
    let viewport: CaseRect
    let leading: Double
    let trailing: Double
    let scrollable_directions: String
    let scroll_direction: [String]
  }
  struct Result: Decodable { let range_rect: CaseRect }

  @Test(arguments: cases("RangeDefaults") as [SuiteCase<Place, Screens>])
  func `the defaults are upstream's`(_ example: SuiteCase<Place, Screens>) throws {
    let inputs = example.inputs
    let tuning = inputs.container == "pager" ? RangeTuning.pager : .standard
    let extent: RangeExtent
    switch inputs.range_type {
    case "measure": extent = tuning.measure
    case let kind?:
      extent =
        tuning[
          try #require(RangeKind(rawValue: kind)), try #require(rangeMode(inputs.range_mode ?? "full"))]
    case nil:
      #expect(ScrollState().leadingScreens == example.expected.value)
      return
    }

    #expect(extent.leading == example.expected.leading_screenfuls)
    #expect(extent.trailing == example.expected.trailing_screenfuls)
  }

  @Test(arguments: cases("RangeGeometryDerived") as [SuiteCase<Geometry, Result>])
  func `a range grows ahead and behind`(_ example: SuiteCase<Geometry, Result>) {
    let inputs = example.inputs

    let rect = RangeExtent(leading: inputs.leading, trailing: inputs.trailing).rect(
      around: inputs.viewport.rect, scrollable: scrollDirections([inputs.scrollable_directions]),
      direction: scrollDirections(inputs.scroll_direction))

    #expect(rect == example.expected.range_rect.rect, "\(example.case)")
  }

  /// testTuningParameters of ASCollectionViewTests
  @Test func `a reach without a mode is that of full`() {
    var tuning = RangeTuning.standard

    tuning[.display] = RangeExtent(leading: 1.2, trailing: 3.2)
    tuning[.preload] = RangeExtent(leading: 4.3, trailing: 2.3)

    #expect(tuning[.display, .full] == RangeExtent(leading: 1.2, trailing: 3.2))
    #expect(tuning[.preload, .full] == RangeExtent(leading: 4.3, trailing: 2.3))
    #expect(tuning[.display, .minimum] == RangeTuning.standard[.display, .minimum])
  }

  /// testTuningParametersWithExplicitRangeMode of ASCollectionViewTests
  @Test func `each mode has its own reach`() {
    var tuning = RangeTuning.standard
    let reaches = RangeMode.allCases.flatMap { mode in RangeKind.allCases.map { (mode, $0) } }
    func reach(_ index: Int) -> RangeExtent {
      RangeExtent(leading: Double(index) / 10, trailing: Double(index) / 5)
    }

    for (index, (mode, kind)) in reaches.enumerated() { tuning[kind, mode] = reach(index) }

    for (index, (mode, kind)) in reaches.enumerated() { #expect(tuning[kind, mode] == reach(index)) }
  }
}
