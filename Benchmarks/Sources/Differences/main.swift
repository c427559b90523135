// The difference of two lists: ours, DifferenceKit's and the standard library's, in one run. Then appending.
// Run: swift run --package-path Benchmarks -c release Differences [1000 10000 100000] [ours DifferenceKit stdlib]

let arguments = CommandLine.arguments.dropFirst()
let counts = arguments.compactMap { Int($0) }
let named = arguments.compactMap { Contender(rawValue: $0) }
let contenders = (named.isEmpty ? Contender.allCases : named).filter(\.isHere)
let table = Table(counts: counts.isEmpty ? [1000, 10_000, 100_000] : counts, contenders: contenders)
table.print(Int.self)
table.print(String.self)
Appending.print()
