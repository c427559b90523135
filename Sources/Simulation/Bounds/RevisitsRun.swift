/// The reader of revisited pages at work: what is held, what is on its way, how far the reading is.
struct RevisitsRun: Hashable {
  /// The reference that is read or waited for.
  private(set) var place = 0
  /// Of it, what is still to be read.
  private(set) var workLeft: Int64
  /// Pages that are held.
  private(set) var held: Set<Int>
  /// The page on its way and the time until it is there.
  private(set) var onItsWay: (page: Int, left: Int64)?
  /// The wait so far.
  private(set) var stall = Int64(0)

  init(_ reader: Revisits) {
    held = reader.held
    workLeft = reader.work.first ?? 0
  }

  /// Starts a fetch in the place of a page that is given up, or in an empty place.
  mutating func start(_ page: Int, for victim: Int?, _ reader: Revisits) {
    if let victim { held.remove(victim) }
    onItsWay = (page, reader.fetch)
  }

  /// Goes on to the next moment at which something may be decided: a reference was read, or a page came.
  mutating func advance(_ reader: Revisits) {
    guard place < reader.references.count else { return }
    let isReading = held.contains(reader.references[place])
    precondition(isReading || onItsWay != nil, "the reader waits for nothing at reference \(place)")
    let step = min(isReading ? workLeft : .max, onItsWay?.left ?? .max)
    if isReading { workLeft -= step } else { stall += step }
    if let (page, left) = onItsWay {
      onItsWay = left == step ? nil : (page, left - step)
      if left == step { held.insert(page) }
    }
    if isReading, workLeft == 0 {
      place += 1
      if place < reader.references.count { workLeft = reader.work[place] }
    }
  }

  static func == (left: RevisitsRun, right: RevisitsRun) -> Bool {
    left.place == right.place && left.workLeft == right.workLeft && left.held == right.held
      && left.onItsWay?.page == right.onItsWay?.page && left.onItsWay?.left == right.onItsWay?.left
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(place)
    hasher.combine(workLeft)
    hasher.combine(held)
  }
}
