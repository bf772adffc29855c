package import Essentials
package import Foundation
import MomtoolCommands
package import Testing

/// The result of a command; it is thrown where a test cannot go on with it.
package struct CommandResult: Error {
    package var status: Int32
    package var output: String
    package var errors: String
    package var wasKilled = false

    package init(status: Int32, output: String, errors: String) {
        (self.status, self.output, self.errors) = (status, output, errors)
    }
}

package let commandURL = programURL("momtool")

package let commandFolder = commandURL.deletingLastPathComponent().path

package func programURL(_ name: String) -> URL {
    let beside = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: name)
    if let beside, FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    return Corpus.package.appending(path: ".build/debug/\(name)")
}

/// Whether the programs are built with the thread sanitizer, which keeps files larger than a limit may allow.
package let hasThreadSanitizer = dlsym(nil, "__tsan_init") != nil
/// Whether the programs are built with the address sanitizer, which takes its options from `/proc`, and without them
/// looks for leaks there.
package let hasAddressSanitizer = dlsym(nil, "__asan_init") != nil

/// Starts the built command without its output.
package func startedCommand(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = commandURL
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
}

/// A program that ends before it has read its input must not end the tests.
private let brokenPipesAreErrors: Void = { signal(SIGPIPE, SIG_IGN) }()

package func momtool(
    _ arguments: [String],
    in folder: URL = Corpus.package,
    input: String = "",
    environment: [String: String] = [:]
) throws -> CommandResult {
    brokenPipesAreErrors
    let (output, errors) = (CollectedText(), CollectedText())
    let status = MomtoolCommand.run(
        arguments,
        in: folder.path,
        environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
        input: Array(input.utf8),
        output: output,
        errors: errors
    )
    let result = CommandResult(status: status.rawValue, output: output.text, errors: errors.text)
    result.expectErrorInStatus(arguments)
    return result
}

extension CommandResult {
    /// Expects of every command that a test runs: one that prints an error does not end with 0.
    fileprivate func expectErrorInStatus(_ arguments: [String]) {
        guard status == 0, !wasKilled else { return }
        let lines = (output + "\n" + errors).split(separator: "\n")
        let line = lines.first { $0.starts(with: "error: ") || $0.contains(": error: ") }
        // What shows the text of a log or of a page may show its errors.
        guard let line, !["mcp", "doctor", "skill", "rules"].contains(arguments.first) else {
            return
        }
        Issue.record("\(arguments) ends with 0 and prints '\(line)'")
    }
}

package func momtool(_ first: String, _ second: String, _ more: String...) throws -> CommandResult {
    try momtool([first, second] + more)
}

/// Runs the command in this process, and expects its status, if one is given, and words of its output and of its errors.
///
/// - Parameters:
///   - arguments: the arguments.
///   - folder: where it runs.
///   - status: how it ends.
///   - output: words that the output has.
///   - absent: words that it has not.
///   - errors: words that the errors have.
///   - location: where that is expected.
/// - Returns: the run.
/// - Throws: what it throws.
@discardableResult
package func expectRun(
    _ arguments: [String],
    in folder: URL = Corpus.package,
    _ status: Int32?,
    _ output: String...,
    not absent: [String] = [],
    errors: [String] = [],
    location: SourceLocation = #_sourceLocation
) throws -> CommandResult {
    let run = try momtool(arguments, in: folder)
    expect(run, of: arguments.joined(separator: " "), status, output, absent, errors, location)
    return run
}

/// Runs the command with a line of words, and expects the same.
@discardableResult
package func expectRun(
    _ line: String,
    in folder: URL = Corpus.package,
    _ status: Int32?,
    _ output: String...,
    not absent: [String] = [],
    errors: [String] = [],
    location: SourceLocation = #_sourceLocation
) throws -> CommandResult {
    let run = try momtool(line, in: folder)
    expect(run, of: line, status, output, absent, errors, location)
    return run
}

private func expect(
    _ run: CommandResult,
    of line: String,
    _ status: Int32?,
    _ output: [String],
    _ absent: [String],
    _ errors: [String],
    _ location: SourceLocation
) {
    let what = Comment("\(line): \(run.output)\(run.errors)")
    if let status { #expect(run.status == status, what, sourceLocation: location) }
    for words in output { #expect(run.output.contains(words), what, sourceLocation: location) }
    for words in absent { #expect(!run.output.contains(words), what, sourceLocation: location) }
    for words in errors { #expect(run.errors.contains(words), what, sourceLocation: location) }
}

private final class CollectedText: TextSink, @unchecked Sendable {
    private var bytes: [UInt8] = []
    private let lock = NSLock()

    func write(_ new: UnsafeRawBufferPointer) { lock.withLock { bytes += new } }

    var text: String { lock.withLock { String(decoding: bytes, as: UTF8.self) } }
}

/// Runs the command in this process with a line of words, parted by blanks; `folder` is where it runs.
package func momtool(_ line: String, in folder: URL = Corpus.package) throws -> CommandResult {
    // The package itself may lie at a path with blanks.
    let package = Corpus.package.path
    let words = line.replacing(package, with: "\0").split(separator: " ")
    return try momtool(words.map { String($0).replacing("\0", with: package) }, in: folder)
}

/// The words of a line of shell, parted by blanks; quotes of either kind hold words together.
package func shellWords(_ line: String) throws -> [String] {
    var (words, word, quote) = ([String](), String?.none, Character?.none)
    for character in line {
        if character == quote {
            quote = nil
        } else if quote == nil, character == "'" || character == "\"" {
            (quote, word) = (character, word ?? "")
        } else if quote == nil, character == " " {
            if let whole = word { words.append(whole) }
            word = nil
        } else {
            word = (word ?? "") + String(character)
        }
    }
    guard quote == nil else { throw OpenQuote(line: line) }
    return words + (word.map { [$0] } ?? [])
}

private struct OpenQuote: Error {
    var line: String
}

/// Runs a line as typed in a shell that finds the built command: as `momtool`, and as `$m`.
package func shell(_ line: String, in folder: URL = Corpus.package) throws -> CommandResult {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try result(
        of: URL(fileURLWithPath: "/bin/sh"),
        ["-c", line],
        in: folder,
        environment: ["PATH": "\(commandFolder):\(path)", "m": commandURL.path]
    )
}

@discardableResult
package func git(_ arguments: String..., in folder: URL) throws -> CommandResult {
    try git(arguments, in: folder)
}

package func git(_ arguments: [String], in folder: URL) throws -> CommandResult {
    // A commit starts no programs that tidy the repository.
    let settings = [
        "user.name=A", "user.email=a@example.org", "core.pager=cat", "maintenance.auto=false",
    ]
    return try result(of: gitURL, settings.flatMap { ["-c", $0] } + arguments, in: folder)
}

private let gitURL: URL = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    let places = path.split(separator: ":").map { URL(filePath: String($0)).appending(path: "git") }
    return places.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        ?? URL(filePath: "/usr/bin/git")
}()

/// Makes a folder a repository with the branch `main`, as `git init` does, if it is none yet.
package func makeRepository(_ folder: URL) throws {
    let repository = folder.appending(path: ".git")
    guard !FileManager.default.fileExists(atPath: repository.path) else { return }
    for place in ["objects", "refs"] { try makeFolder(repository.appending(path: place)) }
    try write("ref: refs/heads/main\n", "HEAD", in: repository)
    let settings = "repositoryformatversion = 0\n\tfilemode = true\n\tbare = false"
    try write("[core]\n\t\(settings)\n\tlogallrefupdates = true\n", "config", in: repository)
}

/// Gives the last commit a tag.
package func tag(_ name: String, in folder: URL) throws {
    let repository = folder.appending(path: ".git")
    let branch = try #require(try WrittenCommit.branch(of: repository))
    try write(fileText(branch), "refs/tags/\(name)", in: repository)
}

/// Commits all files of a folder, which becomes a repository where it is none yet.
package func commit(_ title: String, in folder: URL) throws {
    try makeRepository(folder)
    if var commit = try WrittenCommit(of: folder), try commit.write(title) { return }
    try git("add", "-A", in: folder)
    let run = try git("commit", "-q", "-m", title, in: folder)
    guard run.status == 0 else { throw run }
}

/// The seconds that a program may run in a test, which then fails with its signal.
private let patience = 1200.0

/// Runs a program in a folder and waits for it; `environment` is added to that of the tests.
package func result(
    of program: URL,
    _ arguments: [String],
    in folder: URL = Corpus.package,
    environment: [String: String] = [:]
) throws -> CommandResult {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let id = process.processIdentifier
    let end = DispatchWorkItem { kill(id, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: end)
    // Both are read at once: a program that fills one pipe waits for its reader.
    let complaints = Complaints()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
        complaints.bytes = errors.fileHandleForReading.readDataToEndOfFile()
    }
    let said = output.fileHandleForReading.readDataToEndOfFile()
    group.wait()
    process.waitUntilExit()
    end.cancel()
    var result = CommandResult(
        status: process.terminationStatus,
        output: String(decoding: said, as: UTF8.self),
        errors: String(decoding: complaints.bytes, as: UTF8.self)
    )
    result.wasKilled = process.terminationReason == .uncaughtSignal
    if program == commandURL { result.expectErrorInStatus(arguments) }
    return result
}

/// Output that is read in parallel; nobody looks before the reader has ended.
private final class Complaints: @unchecked Sendable {
    var bytes = Data()
}
