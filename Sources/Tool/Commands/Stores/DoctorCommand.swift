import ArgumentParser
import Diagnosing
import FileSystem
import Essentials
import LogReading
import ModelLoading
import Momtool
import Reporting
import SQLiteAccess
import StoreFormat

/// `momtool doctor`: what is the matter, and what to do.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Find out what is wrong with a store, or what an error in a log means, and what to do.",
        discussion: """
            Reports which version of the model wrote the store, what Core Data does when
            the current version opens it, with which error it fails, what is wrong with
            the file, and the commands that help. Takes a log, a crash report or a pasted
            message as well as a store, or a store and a log, and needs no model: with one
            it says more. Ends with status 1 when something is wrong, and
            with 65 when it recognizes nothing in a log.

            EXAMPLE
              momtool doctor Shop.sqlite --model Shop.xcdatamodeld
              momtool doctor "NSCocoaErrorDomain Code=134110"
              momtool doctor crash.log --model Shop.xcdatamodeld --format json
              momtool doctor Shop.sqlite --model Shop.xcdatamodeld --git --range v1.0..main
            """
    )

    @Argument(
        help: "The store, the log, or the message itself; - for standard input.",
        completion: .file()
    )
    var subject: String

    @Option(
        help:
            "The model of the app; repeat the option for models of other versions. The last one is the app's.",
        completion: .model
    )
    var model: [String] = []

    @Option(
        help: "The version that the app has; the current one when left out.",
        completion: .version
    )
    var version: String?

    @OptionGroup var history: HistoryOptions

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: OutputOptions<TextFormats>

    func run() throws {
        try Commands.run {
            let bundles = try model.map { try ModelArgument($0, swift.settings).load() }
            var context: ModelContext?
            if let last = bundles.last, let argument = model.last {
                context = ModelContext(
                    argument: argument,
                    versions: bundles.flatMap(\.versions) + (try model.flatMap(history.versions)),
                    current: try last.chosenVersion(version)
                )
            } else if version != nil || history.git {
                throw CommandFailure(usage: "--version and --git need a model: name it by --model")
            }
            let diagnosis = try diagnosis(context)
            let report = DiagnosisReport(diagnosis)
            let isFile = subject != "-" && !isMessage
            let inputs = InputFiles(model + (isFile ? [subject] : []))
            try output.deliver(sparing: inputs, report.rendered)
            guard !diagnosis.saysNothing else {
                let message = "no error, message or version hash of Core Data was recognized here"
                throw CommandFailure(.badData, subject, message, "nothing-recognized")
            }
            guard diagnosis.isHealthy else { throw CommandFailure(.findings, []) }
        }
    }

    /// Whether the argument is the message itself: no file has that name, and something in it is known.
    private var isMessage: Bool {
        FileIdentity(of: subject) == nil && subject.count <= 4096 && !readLog(subject).isEmpty
    }

    private func diagnosis(_ context: ModelContext?) throws -> Diagnosis {
        if isMessage { return diagnose(readLog(subject), path: "the message", context) }
        if subject == "-" {
            let bytes = readStart(of: 0, Self.logLimit)
            return diagnose(readLog(String(decoding: bytes, as: UTF8.self)), path: "-", context)
        }
        guard !isStore else {
            return try WorkDisplay.during("doctor", unit: "checks") { progress in
                do throws(StoreError) {
                    return try diagnose(StoreFile(path: subject), context, progress: progress)
                } catch {
                    guard !isFolder else { throw error }
                    return diagnoseUnreadable(subject, because: "\(error)", context)
                }
            }
        }
        let log = readLog(try readText(subject, limit: Self.logLimit))
        return diagnose(log, path: subject, context)
    }

    /// The greatest size of a log in bytes.
    private static let logLimit = 64 << 20

    private var isFolder: Bool { FileIdentity(of: subject)?.isFolder == true }

    /// What is no text is a store, or refused as one.
    private var isStore: Bool {
        guard let identity = FileIdentity(of: subject) else { return false }
        return identity.isFolder
            || identity.isRegular
                && (fileStart(subject, 4096)?.contains(0) == true
                    || fileSize(subject) == 0 && FileIdentity(of: subject + "-wal") != nil)
    }
}
