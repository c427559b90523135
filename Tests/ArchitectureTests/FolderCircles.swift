/// The circles of folders that are still there, by their targets, and the types that files of other folders reach into. Both lists
/// only get shorter: a test fails for what is not in them, and for what is in them and gone.
enum FolderCircles {
  /// Folders that need each other; `.` is what lies beside the folders of a target. A folder of a folder has its room before it.
  static let circles: [String: [String]] = [:]

  /// `Type ← Folder`: a file of the folder extends the type, which is at home in another one, and uses its stored properties.
  static let reaches: [String: [String]] = [:]
}
