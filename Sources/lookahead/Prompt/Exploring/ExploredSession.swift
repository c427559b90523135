import Lua
import Paging
import Scripting
import Simulation

/// A source that a person explores at the prompt: the exploration, and how the source is asked for what that needs.
final class ExploredSession {
  private unowned let session: PromptSession
  private(set) var source: ExploredSource
  var exploration: Exploration
  /// A name or expression that gives the source; nil where it was the only one.
  let expression: String?
  /// What the policy of the source is called.
  private var ownPolicy: String
  private var running: Running?

  /// A run that is not over.
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

  /// Begins at the first screen; the error says what is wrong with the source.
  init(_ session: PromptSession, _ source: ExploredSource, expression: String?, screen: Int) throws {
    self.session = session
    self.source = source
    self.expression = expression
    let policy = try session.workflow.policy(of: source)
    ownPolicy = policy.name
    exploration = try Exploration(configuration: source.configuration, policy: policy, screen: screen)
  }

  /// Shown before the prompt, as `feed@12`.
  var prompt: String { "\(source.name)@\(exploration.position)" }

  /// Whether the policy that decides is the one that the source was declared with.
  var hasOwnPolicy: Bool { exploration.policyName == ownPolicy }

  /// A policy by its name, as Lua says it.
  private var policyTexts: [String: String] = [:]

  /// Another policy decides; `text` is how Lua says it.
  func exchange(_ policy: FreshPolicy, text: String) {
    policyTexts[policy.name] = text
    exploration.exchange(policy)
  }

  /// What makes a script's source read as it is explored now.
  var savedLines: [String] {
    guard let expression, !hasOwnPolicy, let text = policyTexts[exploration.policyName] else { return [] }
    return ["\(expression).policy = \(text)"]
  }

  /// The source's own policy decides again.
  func restorePolicy() throws { exploration.exchange(try session.workflow.policy(of: source)) }

  /// Goes on with the handlers and the policy of the source as it is now declared. False where its pages are others than
  /// before, so that it has to be opened again.
  func reload(_ new: ExploredSource) throws -> Bool {
    guard new.configuration == source.configuration else { return false }
    let isOwn = hasOwnPolicy
    let policy = try session.workflow.policy(of: new)
    source = new
    ownPolicy = policy.name
    exploration.forgetAnswers()
    if isOwn { exploration.exchange(policy) }
    return true
  }
}

extension ExploredSession {
  /// Lets happen what is to come until the goal is reached; the source is asked where nothing is remembered. The next line
  /// waits for it.
  func run(_ goal: ExplorationGoal, _ ended: @escaping (Ending) -> Void) {
    session.workflow.prepareToDecide()
    running = Running(goal: goal, ended: ended)
    advance()
  }

  private func advance() {
    while var run = running {
      var one = run.goal
      one.events = min(1, run.goal.events ?? 1)
      let before = exploration.position
      let stop = exploration.run(&one)
      if session.workflow.hasBeenStopped {
        // What the policy said when it was stopped is not what it says.
        exploration.takeBack(to: before)
        session.workflow.prepareToDecide()
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
        session.workflow.stopAsking(asked)
        session.wake()
      }
    }
    session.workflow.ask(requests, of: asked) { [weak self] request, answer in
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
