public import Paging

/// Why a file can't be replayed.
public enum RecordingError: Error, Sendable, Equatable {
  case unreadable(HostFailure)
  /// The first line is not a recording's.
  case notARecording
  /// Written by another version of the format.
  case version(Int)
  /// A line, counted from 1, is not what it should be.
  case line(number: Int, expected: String, got: String)
}
