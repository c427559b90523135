/// The static texts of reports and of the page of a run.
enum ReportResource {
  static let style = compact(PackageResources.ReportStyle_css)
  static let script = compact(PackageResources.ReportScript_js)
  static let runStyle = compact(PackageResources.RunStyle_css)
  static let runScript = compact(PackageResources.RunScript_js)

  /// Without indentation, blank lines and comment lines.
  private static func compact(_ bytes: [UInt8]) -> String {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } }
    return "\n" + lines.filter { !$0.isEmpty && !$0.hasPrefix("//") }.map { $0 + "\n" }.joined()
  }
}
