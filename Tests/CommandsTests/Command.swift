import Foundation
import TestSupport

/// What a run of the command gave.
struct CommandResult {
    var status: Int32
    var output: String
    var errors: String
}

/// The built command.
let commandURL: URL = {
    let beside = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "momtool")
    if let beside, FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    return Corpus.package.appending(path: ".build/debug/momtool")
}()

/// Starts the built command; what it says goes nowhere.
func startedCommand(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = commandURL
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
}

/// Runs the built command and waits for it; `folder` is where it runs.
func momtool(_ arguments: [String], in folder: URL = Corpus.package) throws -> CommandResult {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = commandURL
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // The other pipe fits what is said there: diagnostics are short.
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return CommandResult(
        status: process.terminationStatus,
        output: String(decoding: said, as: UTF8.self),
        errors: String(decoding: complained, as: UTF8.self)
    )
}

/// Runs the built command with arguments written one by one.
func momtool(_ arguments: String...) throws -> CommandResult {
    try momtool(arguments)
}
