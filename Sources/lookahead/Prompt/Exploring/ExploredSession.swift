import Lua
import Paging
import Scripting
import Simulation

/// A source explored at the prompt: the exploration, and the fetching of what it needs.
final class ExploredSession {
  private unowned let session: PromptSession
  private(set) var source: ExploredSource
  var exploration: Exploration
  /// A name or expression for the source; nil if it was the only one.
  let expression: String?
  /// The name of the source's policy.
  private var ownPolicy: String
  private var running: Running?

  /// An unfinished run.
  private struct Running {
    var goal: ExplorationGoal
    var events = 0
    var isHeld = false
    let ended: (Ending) -> Void
  }

  /// How a run ended.
  enum Ending {
    case stopped(ExplorationStop)
    case failed(LuaError)
  }

  /// Starts at the first screen; throws what is wrong with the source.
  init(_ session: PromptSession, _ source: ExploredSource, expression: String?, screen: Int) throws {
    self.session = session
    self.source = source
    self.expression = expression
    let policy = try session.workflow.exploring.policy(of: source)
    ownPolicy = policy.name
    exploration = try Exploration(configuration: source.configuration, policy: policy, screen: screen)
  }

  /// Shown before the prompt, as `feed@12`.
  var prompt: String { "\(source.name)@\(exploration.position)" }

  /// Whether the source's declared policy is active.
  var hasOwnPolicy: Bool { exploration.policyName == ownPolicy }

  /// A policy by its name, as Lua says it.
  private var policyTexts: [String: String] = [:]

  /// Switches to another policy; `text` is its Lua form.
  func exchange(_ policy: FreshPolicy, text: String) {
    policyTexts[policy.name] = text
    exploration.exchange(policy)
  }

  /// Lines that make a saved script's source read as it is explored now.
  var savedLines: [String] {
    guard let expression, !hasOwnPolicy, let text = policyTexts[exploration.policyName] else { return [] }
    return ["\(expression).policy = \(text)"]
  }

  /// Switches back to the source's own policy.
  func restorePolicy() throws { exploration.exchange(try session.workflow.exploring.policy(of: source)) }

  /// Continues with the source's newly declared handlers and policy. False if its pages have changed, so that it has to
  /// be reopened.
  func reload(_ new: ExploredSource) throws -> Bool {
    guard new.configuration == source.configuration else { return false }
    let isOwn = hasOwnPolicy
    let policy = try session.workflow.exploring.policy(of: new)
    source = new
    ownPolicy = policy.name
    exploration.forgetAnswers()
    if isOwn { exploration.exchange(policy) }
    return true
  }
}

extension ExploredSession {
  /// Runs the exploration up to the goal; fetches what is not remembered. The next line waits for it.
  func run(_ goal: ExplorationGoal, _ ended: @escaping (Ending) -> Void) {
    session.workflow.exploring.prepareToDecide()
    running = Running(goal: goal, ended: ended)
    advance()
  }

  private func advance() {
    while var run = running {
      var one = run.goal
      one.events = min(1, run.goal.events ?? 1)
      let before = exploration.position
      let stop = exploration.run(&one)
      if session.workflow.exploring.hasBeenStopped {
        // What a policy answered while being stopped does not count.
        exploration.rewind(to: before)
        session.workflow.exploring.prepareToDecide()
        return finish(.failed(LuaError(.stopped(.interrupted), "interrupted")))
      }
      if case .needs(let requests) = stop { return ask(requests) }
      let isOver = stop != .reached || one.events != 0 || run.goal.events == 1
      run.goal.events = run.goal.events.map { $0 - 1 }
      run.events += 1
      running = run
      if isOver { return finish(.stopped(stop)) }
      if run.events >= Exploration.mostEvents { return finish(.stopped(.tooMany(run.events))) }
    }
  }

  private func ask(_ requests: [FetchRequest]) {
    let asked = source
    if running?.isHeld == false {
      running?.isHeld = true
      session.hold { [unowned self] in
        session.workflow.exploring.stopAsking(asked)
        session.wake()
      }
    }
    session.workflow.exploring.ask(requests, of: asked) { [weak self] request, answer in
      self?.exploration.supply(answer, for: request)
    } ended: { [weak self] error in
      guard let self else { return }
      if let error { finish(.failed(error)) } else { advance() }
    }
    session.wake()
  }

  private func finish(_ ending: Ending) {
    guard let run = running else { return }
    running = nil
    if run.isHeld { session.release() }
    run.ended(ending)
  }
}
