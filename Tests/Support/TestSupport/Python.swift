import Foundation

/// The Python whose packages check momtool a second time: `MOMTOOL_PYTHON`, which `.ci/python` makes, or `python3`.
package enum Python {
    private static let path = ProcessInfo.processInfo.environment["MOMTOOL_PYTHON"] ?? "python3"

    /// Whether a module is there; otherwise a test that needs it is skipped.
    package static func has(_ module: String) -> Bool {
        (try? run(["-c", "import \(module)"]))?.status == 0
    }

    package static func run(_ arguments: [String]) throws -> CommandResult {
        try result(of: URL(filePath: "/usr/bin/env"), [path] + arguments)
    }

    package static func run(script: String, _ arguments: [String]) throws -> CommandResult {
        try run([Corpus.package.appending(path: "Tests/Python/\(script)").path] + arguments)
    }
}
