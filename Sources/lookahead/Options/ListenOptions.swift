public import ArgumentParser
public import Serving

/// Where a command's page is served that a person looks at in a browser, beside the terminal.
struct ListenOptions: ParsableArguments {
  static let help = ArgumentHelp(
    "Serve a live page of the run here, with metrics, as 127.0.0.1:8090; port 0 is any free one.",
    valueName: "address")

  @Option(help: Self.help)
  var listen: ListenAddress?
}

extension ListenAddress: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
