import Paging

extension LiveLoop {
  /// Tells the program, and carries out what it says; false when it is finished already.
  @discardableResult
  func send(_ event: ProgramEvent, to program: any Program) -> Bool {
    guard !isFinished else { return false }
    told = max(now, told + .nanoseconds(1))
    for effect in program.handle(event, at: told) {
      switch effect {
      case .call(let id, let call): begin(id, call)
      case .cancel(let id): abandon(id)
      case .wake(let time): alarms.setWake(at: time)
      case .finished:
        isFinished = true
        return true
      }
    }
    world.http.sendUnsent()
    return true
  }

  /// Delivers the answers that were known at once; those that this brings wait for the next turn.
  func deliverReady(to program: any Program) -> Bool {
    let replies = ready
    ready.removeAll(keepingCapacity: true)
    return deliver(replies, to: program)
  }

  func deliverExchanges(to program: any Program) -> Bool {
    deliver(world.http.advance(), to: program)
  }

  func readMailbox(to program: any Program) -> Bool {
    let letters = mailbox.take()
    for letter in letters {
      switch letter {
      case .reply(let run, let id, let reply):
        if run == self.run { deliver(reply, of: id, to: program) }
      case .block(let block): block()
      case .interrupt: send(.interrupted, to: program)
      }
    }
    return !letters.isEmpty
  }

  func fireAlarms(for program: any Program) -> Bool {
    let due = alarms.takeDue(at: now)
    for alarm in due where alarms.claim(alarm) {
      switch alarm {
      case .reply(let id): deliver(.done, of: id, to: program)
      case .wake: send(.woke, to: program)
      }
    }
    return !due.isEmpty
  }

  /// Lets the program read, when there is something to read.
  func readInput(to program: any Program) -> Bool {
    guard let input, Waker.isReadable(input) else { return false }
    return send(.woke, to: program)
  }

  /// Gives up every call under way and forgets all alarms.
  func abandonCalls() {
    for id in wanted { _ = world.http.cancel(id) }
    wanted = []
    ready = []
    alarms = Alarms()
  }

  private func begin(_ id: HostCallID, _ call: HostCall) {
    wanted.insert(id)
    let start = world.start(id, call) { [mailbox, run] reply in
      mailbox.leave(.reply(run: run, id, reply))
    }
    switch start {
    case .answered(let reply): ready.append((id, reply))
    case .underWay: break
    case .asleep(let duration): alarms.addReply(id, at: now + duration)
    }
  }

  private func abandon(_ id: HostCallID) {
    guard wanted.remove(id) != nil else { return }
    if !world.http.cancel(id) { _ = alarms.cancelReply(id) }
  }

  private func deliver(_ replies: [(HostCallID, HostReply)], to program: any Program) -> Bool {
    for (id, reply) in replies { deliver(reply, of: id, to: program) }
    return !replies.isEmpty
  }

  private func deliver(_ reply: HostReply, of id: HostCallID, to program: any Program) {
    if wanted.remove(id) != nil { send(.replied(id, reply), to: program) }
  }
}
