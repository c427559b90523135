import Paging

/// What is kept of single things that happened.
extension RunTelemetry {
  /// A call that was not answered yet.
  struct OpenCall: Sendable {
    let call: TelemetryCall
    let start: Double
    /// Of a request.
    var host = -1
  }

  struct Decision: Sendable {
    let time: Double
    let source: Int
    let direction: Direction
    let fetch: Int
    let reason: Int
    let remaining: Int
    let inFlight: Int
  }

  /// Decisions for one reason.
  struct ReasonCount: Sendable {
    var yes = 0
    var no = 0
  }

  struct Line: Sendable {
    let time: Double
    let level: String
    let text: String
  }

  /// Errors of one line of the script.
  struct Fault: Sendable {
    var count = 0
    var message = ""
    var time = 0.0
  }

  /// A request that ended badly.
  struct BadRequest: Sendable {
    let time: Double
    let method: String
    let url: String
    /// 0 without an answer.
    let status: Int
    let length: Double
    let message: String
    let place: String
  }
}
