/// An element of the random tests: itself by number, with a form.
struct Element: Hashable, CustomStringConvertible {
  var number: Int
  var form = 0

  var description: String { form == 0 ? "\(number)" : "\(number).\(form)" }
}
