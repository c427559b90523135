import Items
import Listing
import Paging
import Testing

/// The cases of `ASCollectionViewTests` and `ASTableViewTests` on the pipeline, the ranges and empty lists.
///
/// Told elsewhere: testTuningParameters and testTuningParametersWithExplicitRangeMode in `RangeTuningTests`;
/// testThatDeletedItemsAreMarkedInvisible and testAutomaticallyAdjustingContentOffset in
/// `RangeControllerDataTests`.
///
/// Without a meaning here: that UIKit's own table reloads once more by itself when it is first laid out, which
/// is the second of the two reloads of testThatInitialDataLoadHappensInOneShot.
@Suite struct ListCasesTests {
  /// Every case is in a test of this suite, or of those named above.
  @Test func `no case is left out`() {
    struct Case: Decodable { let `case`: String }
    let told = [
      "testThatNestedBatchCompletionsAreCalledInOrder",
      "testThatIssuingAnUpdateBeforeInitialReloadIsAcceptable",
      "testThatNodeAtIndexPathIsCorrectImmediatelyAfterSubmittingUpdate",
      "testThatNilBatchUpdatesCanBeSubmitted",
      "testThatDeletedItemsAreMarkedInvisible", "testThatBatchFetchHappensForEmptyCollection",
      "disabled_testThatMultipleBatchFetchesDontHappenUnnecessarily",
      "testThatWeBatchFetchUntilContentRequirementIsMet_Animated",
      "testThatWeBatchFetchUntilContentRequirementIsMet_Nonanimated",
      "testThatWeBatchFetchUntilContentRequirementIsMet_Invisible",
      "testThatWhenWeBecomeVisibleWeWillFetchAdditionalContent", "testInitialRangeBounds",
      "testInitialRangeBoundsCellLayoutModeAlwaysAsync", "testItemsInsertedIntoThePreloadRangeGetPreloaded",
      "testTuningParameters", "testTuningParametersWithExplicitRangeMode",
      "testThatSectionContextsAreCorrectAfterReloadData",
      "testThatSectionContextsAreCorrectAfterTheInitialLayout",
      "testThatSectionContextsAreCorrectAfterSectionMove",
      "testThatSectionContextsAreCorrectAfterReloadASection", "testThatInitialDataLoadHappensInOneShot",
      "testThatReloadDataHappensInOneShot", "testAutomaticallyAdjustingContentOffset", "testIssue2252",
    ]

    let all = ["ASCollectionViewTests", "ASCollectionViewTests.SectionContext", "ASTableViewTests"]
      .flatMap { cases($0) as [Case] }
    #expect(Set(all.map(\.case)) == Set(told))
  }

  @Test func `completions of nested batches come in order`() throws {
    var rig = try DataRig(loaded: ListSource(counts: [1]))
    var batch = try BatchUpdate(oldCounts: rig.controller.oldCounts(from: rig.source))
    batch.begin()
    batch.begin()
    try batch.end(completion: 0)
    batch.begin()
    try batch.end(completion: 1)
    try batch.end(completion: 2)

    rig.accept(try rig.controller.submit(batch, from: rig.source))
    rig.settle()

    #expect(rig.completed == [0, 1, 2])
  }

  @Test func `an update before the first load is dropped and completes`() throws {
    var rig = DataRig(ListSource([]))

    try rig.update(completion: 1, [.insertSections([0])]) { $0.append(["a"]) }

    #expect(rig.completed == [1])
    #expect(rig.applies.isEmpty && rig.jobs.isEmpty)
    #expect(!rig.controller.isProcessing)
  }

  @Test func `an item can be read as soon as its update was submitted`() throws {
    var rig = try DataRig(loaded: ListSource(counts: [1, 1]))
    let first = ItemPath(section: 0, item: 0)
    let before = rig.controller.pending[first]

    try rig.update([.insertItems([first])]) { $0[0].insert("new", at: 0) }
    let inserted = try #require(rig.controller.pending[first])
    #expect(inserted.id != before?.id)
    #expect(inserted.model == "new")

    try rig.update([.deleteSections([0, 1])]) { $0 = [] }
    #expect(rig.controller.pending[first] == nil)
    rig.settle()
    #expect(rig.shown.isEmpty)
  }

  @Test func `a batch of nothing is a batch`() throws {
    var rig = try DataRig(loaded: ListSource(counts: [1]))

    try rig.update([]) { _ in }
    rig.settle()

    #expect(rig.shown == [["0.0"]])
  }

  @Test func `an empty list fetches once when the fetch never ends`() {
    var fill = FillLoop(itemCount: 0, itemsPerFetch: 0)
    fill.completes = false

    for _ in 0..<30 { fill.check() }

    #expect(fill.fetches == 1)
  }

  @Test func `a fetch that brings enough is the only one`() {
    var fill = FillLoop(itemCount: 1, itemsPerFetch: 999)

    for _ in 0..<30 { fill.check() }

    #expect(fill.fetches == 1)
  }

  /// testThatWeBatchFetchUntilContentRequirementIsMet in its three forms (animation has no meaning here).
  @Test(arguments: [true, false]) func `fetches go on until the content suffices`(isVisible: Bool) {
    var fill = FillLoop(itemCount: 0, itemsPerFetch: 1)
    fill.isVisible = isVisible

    for _ in 0..<1000 { fill.check() }

    let wanted = fill.bounds.height * (isVisible ? 3 : 1)
    #expect(fill.fetches > 2)
    #expect(fill.contentLength >= wanted && fill.contentLength <= wanted + 3 * fill.itemLength)
  }

  @Test func `becoming visible fetches more`() {
    var fill = FillLoop(itemCount: 0, itemsPerFetch: 1)
    fill.isVisible = false
    for _ in 0..<1000 { fill.check() }
    #expect(fill.contentLength == fill.bounds.height)

    fill.isVisible = true
    for _ in 0..<1000 { fill.check() }

    #expect(fill.contentLength >= fill.bounds.height * 3)
  }

  @Test func `contexts are of the generation in which their section came`() throws {
    let source = ListSource(counts: Array(repeating: 10, count: 10))
    var rig = try DataRig(loaded: source)
    #expect(rig.controller.visible.sections.map(\.context) == Array(repeating: 1, count: 10))

    source.generation = 2
    try rig.update([.reloadSections([0])]) { _ in }
    rig.settle()
    #expect(rig.controller.visible.sections.map(\.context) == [2] + Array(repeating: 1, count: 9))

    source.generation = 3
    try rig.update(moves: .split, [.moveSection(from: 9, to: 0)]) { $0.insert($0.removeLast(), at: 0) }
    rig.settle()
    #expect(rig.controller.visible.sections.map(\.context) == [3, 2] + Array(repeating: 1, count: 8))

    source.generation = 4
    rig.accept(try rig.controller.reloadData(from: source))
    rig.settle()
    #expect(rig.controller.visible.sections.map(\.context) == Array(repeating: 4, count: 10))
  }

  @Test func `loading is one reload, and so is each reload`() throws {
    let source = ListSource(counts: [20, 20])
    var rig = DataRig(source)

    rig.accept(try rig.controller.loadIfNeeded(from: source))
    while !rig.jobs.isEmpty { rig.work() }
    #expect(rig.applies.map { $0.changes.map(\.paths.isReload) } == [[true]])

    rig.settle()
    rig.accept(try rig.controller.reloadData(from: source))
    while !rig.jobs.isEmpty { rig.work() }
    #expect(rig.applies.map { $0.changes.map(\.paths.isReload) } == [[true]])
  }
}

/// Texture's fill loop: an answer that comes in the turn of the check.
private struct FillLoop {
  let itemLength = 10.0
  let bounds = Extent(width: 100, height: 100)
  let itemsPerFetch: Int
  var itemCount: Int
  var isVisible = true
  var completes = true
  private(set) var fetches = 0
  private var context = BatchContext(isUpstreamCompatible: true)

  init(itemCount: Int, itemsPerFetch: Int) {
    self.itemCount = itemCount
    self.itemsPerFetch = itemsPerFetch
  }

  var contentLength: Double { Double(itemCount) * itemLength }

  mutating func check() {
    var state = ScrollState()
    state.isFetching = context.isFetching
    state.bounds = bounds
    state.contentSize = Extent(width: 100, height: contentLength)
    state.isVisible = isVisible
    guard shouldFetchBatch(state).shouldFetch else { return }
    fetches += 1
    _ = context.begin()
    itemCount += itemsPerFetch
    if completes { context.complete(true) }
  }
}
