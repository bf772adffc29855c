import Foundation

/// The Python by whose packages tests check momtool a second time: `MOMTOOL_PYTHON`, which `.ci/python` makes, or `python3`.
package enum Python {
    private static let path = ProcessInfo.processInfo.environment["MOMTOOL_PYTHON"] ?? "python3"

    /// Whether a module is there; a test that needs one that is not is reported as skipped.
    package static func has(_ module: String) -> Bool {
        (try? run(["-c", "import \(module)"]))?.status == 0
    }

    /// Runs Python with arguments.
    package static func run(_ arguments: [String]) throws -> CommandResult {
        try result(of: URL(filePath: "/usr/bin/env"), [path] + arguments)
    }

    /// Runs a script of `.ci`.
    package static func run(script: String, _ arguments: [String]) throws -> CommandResult {
        try run([Corpus.package.appending(path: ".ci/\(script)").path] + arguments)
    }
}
