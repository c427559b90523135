import Experiments

/// What a result shows, in words.
struct Finding {
  let headline: String
  /// Further context; may be empty.
  let detail: String
  /// Which policies may be the best, and the least wasteful of them with its waste; empty if nothing is known.
  var choice = ""
  /// The policy that the headline is about, and the one that it is compared with.
  var subject: LabRow?
  var base: LabRow?
}

extension Finding {
  /// For one block: its best policy against the baseline. With a holdout, the policy is chosen on the other sessions
  /// and judged on the holdout.
  init(_ block: ReportBlock, _ contents: ReportContents) {
    let judged = block.splits.first { $0.part == .holdout && $0.rows.contains(where: \.isMeasured) }
    let chosen = block.splits.first { $0.part == .train }?.rows ?? block.rows
    let stated = judged?.rows ?? block.rows
    let metric = contents.primary
    let able = chosen.filter { $0.isMeasured && !$0.isOracle }
    let whole = able.filter(\.isComparable)
    let candidates = whole.isEmpty ? able : whole
    let possible = candidates.filter(\.mayBeBest)
    let choice = Self.choice(possible, of: candidates.count, metric)
    guard let best = Self.cheapest(possible, by: metric) ?? Self.best(candidates, by: metric) else {
      self.init(headline: "No policy could be measured", detail: "")
      return
    }
    let base = contents.baseline(stated)
    let rest = [candidates, able].map { $0.filter { $0.setting.policyTitle != base?.setting.policyTitle } }
    let others = rest[0].isEmpty ? rest[1] : rest[0]
    let isBaselineBest = best.setting.policyTitle == base?.setting.policyTitle
    let title = (isBaselineBest ? Self.best(others, by: metric) : best)?.setting.policyTitle
    let rival = stated.first { $0.setting.policyTitle == title }
    guard let base, let rival, let judgement = Judgement(rival, metric, contents) else {
      let row = stated.first { $0.setting == best.setting } ?? best
      self.init(
        headline: Self.alone(row, metric) + Self.scope(row), detail: Self.regret(row), choice: choice,
        subject: row)
      return
    }
    let headline = Self.sentence(rival, base, judgement, contents) + Self.scope(rival)
    let backed = judged == nil ? "" : "Chosen on the training sessions, stated on those kept back. "
    let beginning = choice.isEmpty ? backed : backed + choice + ". "
    self.init(
      headline: headline,
      detail: beginning + Self.regret(judgement.verdict == .worse ? base : rival)
        + Self.price(rival, base, contents), choice: choice,
      subject: judgement.verdict == .worse ? base : rival,
      base: judgement.verdict == .worse ? rival : base)
  }

  /// For all blocks: how often the best policy beats the baseline. Blocks are counted, never added up.
  init(_ contents: ReportContents) {
    guard contents.blocks.count > 1 else {
      self =
        contents.blocks.first.map { Finding($0, contents) }
        ?? Finding(headline: "Nothing was run", detail: "")
      return
    }
    let tallies = contents.policies.compactMap { Tally($0, contents) }
    guard let best = tallies.max(by: { $0.weight < $1.weight }) else {
      self.init(headline: "\(contents.blocks.count) worlds, no policy to compare", detail: "")
      return
    }
    let base = contents.result.baseline
    let count = contents.blocks.count
    let headline =
      best.better > 0 && best.better >= best.worse
      ? "\(best.title) is better than \(base) in \(best.better) of \(count) worlds"
      : best.worse > 0
        ? "No policy is better than \(base) in most worlds: \(best.title) is worse in \(best.worse) of \(count)"
        : "No policy is better than \(base) in any of \(count) worlds"
    let rest = [
      (best.worse, "worse in \(best.worse)"), (best.equal, "equal in \(best.equal)"),
      (best.open, "not resolved in \(best.open)"),
    ]
    let words = rest.filter { $0.0 > 0 }.map(\.1).joined(separator: ", ")
    let sentence = words.isEmpty ? "" : "\(best.title) is \(words). "
    self.init(headline: headline, detail: sentence + "Every world is judged separately; nothing is added up.")
  }

  /// A policy's record against the baseline over all blocks.
  private struct Tally {
    let title: String
    let better: Int
    let worse: Int
    let open: Int
    let equal: Int
    /// Blocks in which it is the best of all.
    let wins: Int

    /// Nil for the baseline, an oracle, and a policy never compared.
    init?(_ title: String, _ contents: ReportContents) {
      guard title != contents.result.baseline, !contents.oracles.contains(title) else { return nil }
      let verdicts = contents.blocks.compactMap { block in
        block.judged.policies.first { $0.setting.policyTitle == title }
          .flatMap { Judgement($0, contents.primary, contents)?.verdict }
      }
      if verdicts.isEmpty { return nil }
      self.title = title
      better = verdicts.count { $0 == .better }
      worse = verdicts.count { $0 == .worse }
      open = verdicts.count { $0 == .notResolved }
      equal = verdicts.count { $0 == .equal }
      wins = contents.blocks.count { block in
        Finding.best(block.judged.policies, by: contents.primary)?.setting.policyTitle == title
      }
    }

    var weight: (Int, Int) { (better - worse, wins) }
  }

  /// The best as printed; among equals the least wasteful.
  private static func best(_ rows: [LabRow], by metric: Metric) -> LabRow? {
    func rank(_ row: LabRow) -> (Int, Double) {
      let units = ReportNumber.units(row.mean(metric), metric.digits)
      return (metric.isBetterWhenLess ? units : -units, row.mean(.waste))
    }
    return rows.min { rank($0) < rank($1) }
  }

  /// The least wasteful as printed; among equals the best.
  private static func cheapest(_ rows: [LabRow], by metric: Metric) -> LabRow? {
    let wastes = rows.map { ReportNumber.units($0.mean(.waste), Metric.waste.digits) }
    return best(zip(rows, wastes).filter { $0.1 == wastes.min() }.map(\.0), by: metric)
  }

  private static func choice(_ rows: [LabRow], of count: Int, _ metric: Metric) -> String {
    guard let cheapest = cheapest(rows, by: metric), count > 1 else { return "" }
    let waste = "\(ReportNumber.fixed(cheapest.mean(.waste), 1)) items a session"
    let title = cheapest.setting.policyTitle
    guard rows.count > 1 else { return "\(title) wastes \(waste)" }
    let most = 8
    let names = rows.prefix(most).map(\.setting.policyTitle).joined(separator: ", ")
    let more = rows.count > most ? " and \(rows.count - most) more" : ""
    return "These \(rows.count) of \(count) may be the best and can't be told apart: \(names)\(more); "
      + "of them \(title) wastes least, \(waste)"
  }

  private static func sentence(
    _ row: LabRow, _ base: LabRow, _ judgement: Judgement, _ contents: ReportContents
  )
    -> String
  {
    let names = (row.setting.policyTitle, base.setting.policyTitle)
    let size = judgement.size
    let amount = "\(size.amount) \(judgement.metric.unit)"
    let interval = judgement.hasInterval ? " (95 % \(size.interval))" : ""
    switch judgement.verdict {
    case .better: return "\(names.0) is better than \(names.1) by \(amount)\(interval)"
    case .worse: return "\(names.1) is best: \(names.0), the next, is worse by \(amount)\(interval)"
    case .equal:
      return judgement.words == "the same in every session"
        ? "\(names.0) and \(names.1) are the same in every session"
        : "\(names.0) and \(names.1) are \(judgement.words) \(judgement.metric.unit)\(interval)"
    case .notResolved:
      let comparison = row.comparisons[judgement.metric]
      let needed = comparison?.sessionsNeeded(margin: contents.result.margin)
      let units = (comparison?.readers ?? 0) > 0 ? "readers" : "sessions"
      let rest = [judgement.reason, needed.map { "about \($0) \(units) would tell" } ?? ""]
      return "Not resolved: \(names.0) and \(names.1) differ by \(amount)\(interval)"
        + rest.filter { !$0.isEmpty }.map { "; " + $0 }.joined()
    }
  }

  private static func alone(_ row: LabRow, _ metric: Metric) -> String {
    let verb = metric == .stall ? "waits" : "comes to"
    let amount = row.isMeasured ? ReportNumber.fixed(row.mean(metric), metric.digits) : ReportNumber.none
    let interval = row.isMeasured && row.hasInterval ? " (95 % \(row.intervalText(metric)))" : ""
    return "\(row.setting.policyTitle) \(verb) \(amount) \(metric.unit)\(interval)"
  }

  /// Of whom it is said, where that is less than it seems.
  private static func scope(_ row: LabRow) -> String {
    row.isOneReader ? "; one recorded reader: this says nothing of others" : ""
  }

  private static func regret(_ row: LabRow) -> String {
    guard let regret = row.summaries[.regret] else { return "" }
    let amount = ReportNumber.fixed(regret.mean, Metric.regret.digits)
    // Otherwise the best schedule is somewhere between the bound and the oracle.
    let isProven = row.scores.allSatisfy(\.isBoundExact)
    return
      "\(row.setting.policyTitle) waits \(isProven ? "" : "at most ")\(amount) s a session longer than a schedule that knows the future. "
  }

  private static func price(_ row: LabRow, _ base: LabRow, _ contents: ReportContents) -> String {
    guard let waste = Judgement(row, .waste, contents) else { return "" }
    let name = row.setting.policyTitle
    let interval = waste.hasInterval ? " (95 % \(waste.size.interval))" : ""
    let amount = "\(name) wastes \(waste.size.amount) items a session"
    switch waste.verdict {
    case .notResolved: return "Whether it wastes more items than \(base.setting.policyTitle) is not resolved."
    case .equal: return "It wastes as many items as \(base.setting.policyTitle)."
    case .worse: return "\(amount) more\(interval)."
    case .better: return "\(amount) less\(interval)."
    }
  }
}
