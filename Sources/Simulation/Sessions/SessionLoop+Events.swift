import Items
import Paging

/// Events in, effects carried out.
extension SessionLoop {
  /// Lets the next thing happen.
  mutating func happen() throws(SessionFailure) {
    guard let entry = agenda.removeFirst() else { return }
    now = max(now, entry.at)
    if meter?.allowsEvent() == false { throw .stopped(session: plan.session) }
    if now.seconds > Limits.seconds { throw .tooLarge(session: plan.session, limit: "thirty years") }
    switch entry.happening {
    case .wake:
      idleWakes = agenda.nextTime == nil ? idleWakes + 1 : 0
      tell(.woke)
    case .answer(let id, let pending):
      idleWakes = 0
      if pending.items.count > mostItems - feed.items.count {
        throw .tooLarge(session: plan.session, limit: "\(mostItems) items held")
      }
      answer(id, pending)
    }
  }

  private mutating func answer(_ id: FetchID, _ pending: PendingFetch) {
    if let failure = pending.failure {
      score.failures += 1
      end(pending, .failed)
      tell(.answered(id, .failed(failure)))
    } else {
      score.fetched += pending.items.count
      end(pending, .used)
      tell(.answered(id, .page(source.page(pending.items))))
    }
  }

  /// Tells the feed, and carries out what it asks for.
  mutating func tell(_ event: Event) {
    var revision: Int?
    let held = feed.items.count
    integrate(held)
    for effect in feed.handle(event, at: now) {
      switch effect {
      case .fetch(let request): fetch(request)
      case .cancel(let id): cancel(id)
      case .wake(let at):
        agenda.removeWake()
        agenda.add(.wake, at: max(at, now))
      case .apply(let changes, let newest):
        apply(changes)
        revision = newest
      case .shiftViewport: break
      case .note(let note): take(note)
      }
    }
    score.events += 1
    if feed.items.count != held { countHeld() }
    if let revision { tell(.applied(revision: revision)) }
  }

  private mutating func fetch(_ request: FetchRequest) {
    let items = source.items(of: request)
    let outcome = network.outcome(
      page: items.lowerBound / max(1, source.options.pageSize), attempt: request.attempt, at: now,
      items: items.count)
    score.requests += 1
    let bar = SessionTimeline.FetchBar(
      start: now.seconds, end: now.seconds, items: items, outcome: .unfinished, reason: reason)
    timeline?.fetches.append(bar)
    let pending = PendingFetch(
      request: request, start: now, items: items, failure: outcome.failure,
      bar: (timeline?.fetches.count ?? 0) - 1)
    agenda.add(.answer(request.id, pending), at: outcome.at)
  }

  private mutating func cancel(_ id: FetchID) {
    guard let pending = agenda.remove(id) else { return }
    score.cancelled += 1
    end(pending, .cancelled)
  }

  /// The end of a fetch, for the timeline.
  mutating func end(_ pending: PendingFetch, _ outcome: SessionTimeline.FetchBar.Outcome) {
    guard timeline != nil, pending.bar >= 0 else { return }
    let end = now.seconds
    timeline?.fetches[pending.bar].end = end
    timeline?.fetches[pending.bar].outcome = outcome
  }

  private mutating func apply(_ changes: ChangeSet) {
    for removal in changes.removals where removal.range.lowerBound == 0 {
      front += removal.range.count
      hasDroppedFront = true
    }
    for insertion in changes.insertions where insertion.path.item == 0 && front > 0 {
      front -= insertion.items.count
    }
    let end = front + feed.items.count
    guard end > reached else { return }
    arrivals.append((reached, now))
    reached = end
  }

  private mutating func take(_ note: Note) {
    guard timeline != nil, case .decided(_, let verdict) = note else { return }
    reason = verdict.reason
  }

  private mutating func integrate(_ held: Int) {
    score.heldTime += Double(held) * (now - lastTime).inSeconds
    lastTime = now
  }

  private mutating func countHeld() {
    let held = feed.items.count
    score.mostHeld = max(score.mostHeld, held)
    let point = SessionTimeline.LoadedPoint(time: now.seconds, items: front + held)
    timeline?.loaded.append(point)
  }
}
