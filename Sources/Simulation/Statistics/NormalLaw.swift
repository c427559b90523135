import Experiments

/// The normal and Student's t distributions, as far as needed for intervals and tests.
enum NormalLaw {
  /// The upper tail of the standard normal distribution, to 12 digits.
  static func tail(_ deviations: Double) -> Double {
    if deviations < 0 { return 1 - tail(-deviations) }
    let density = 0.3989422804014327 * Elementary.exp(-deviations * deviations / 2)
    if deviations < 3 {
      // The series of Marsaglia (2004): x + x^3/3 + x^5/15 + ...
      var (term, sum, odd) = (deviations, deviations, 1.0)
      while term > 1e-17 {
        odd += 2
        term *= deviations * deviations / odd
        sum += term
      }
      return max(0, 0.5 - density * sum)
    }
    var fraction = deviations
    for step in stride(from: 60.0, through: 1, by: -1) { fraction = deviations + step / fraction }
    return density / fraction
  }

  /// The inverse of `tail`, by bisection.
  static func deviations(tail part: Double) -> Double {
    var (low, high) = (-38.0, 38.0)
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if tail(middle) > part { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The two-sided critical value of Student's t. Exact for one and two degrees of freedom, else the expansion of
  /// Abramowitz and Stegun 26.7.5, within 0.5 % from three on.
  static func student(confidence: Double, degrees: Int) -> Double {
    let tail = (1 - confidence) / 2
    if degrees == 2 { return (1 - 2 * tail) / (2 * tail * (1 - tail)).squareRoot() }
    if degrees <= 1 {
      // The tangent of the remaining angle, by its half angle from the sine's series.
      let angle = tail * Double.pi
      let square = angle * angle
      let sine = angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42)))
      return (1 - sine * sine).squareRoot() / sine
    }
    let x = deviations(tail: tail)
    let (square, n) = (x * x, Double(degrees))
    let first = (square + 1) / 4
    let second = ((5 * square + 16) * square + 3) / 96
    let third = (((3 * square + 19) * square + 17) * square - 15) / 384
    let fourth = ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92_160
    return x * (1 + (first + (second + (third + fourth / n) / n) / n) / n)
  }
}
