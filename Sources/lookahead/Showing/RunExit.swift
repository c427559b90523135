/// How the process ends; each number is part of the contract.
enum RunExit: Int32, Error {
  case done = 0
  /// The run failed; what it has is safe.
  case failed = 1
  /// Stopped by a limit of the script's budget.
  case budget = 2
  case usage = 64
  /// The script is wrong.
  case script = 65
  case noInput = 66
  /// A bug of ours.
  case bug = 70
  /// The output cannot be written.
  case output = 73
  /// A passing fault: try again later.
  case passing = 75
  case denied = 77
  case interrupted = 130
}
