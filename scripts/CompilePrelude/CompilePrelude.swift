import Foundation
import PackagePlugin

/// Compiles the Lua half of the script API when the program is built.
@main
struct CompilePrelude: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL.appending(path: "Prelude")
    let chunks = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "lua" }.sorted { $0.path < $1.path }
    let output = context.pluginWorkDirectoryURL.appending(path: "CompiledPrelude.swift")
    return [
      .buildCommand(
        displayName: "Compiling the prelude", executable: try context.tool(named: "PreludeCompiler").url,
        arguments: [output.path] + chunks.map(\.path), inputFiles: chunks, outputFiles: [output])
    ]
  }
}
