import Foundation
import PackagePlugin

/// Runs `momtool` from a package: `swift package momtool lint Sources/App/App.xcdatamodeld`.
///
/// Commands that write into the package, such as `lock` and `generate`, need `--allow-writing-to-package-directory`.
@main
struct CommandPlugin: PackagePlugin.CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let process = Process()
        // Built from source it has the name of its target, in an artifact bundle its own.
        let tool =
            try (try? context.tool(named: "momtool")) ?? context.tool(named: "MomtoolProgram")
        process.executableURL = tool.url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        guard process.terminationReason == .exit else {
            Diagnostics.error("momtool was terminated by a signal")
            return
        }
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }
}
