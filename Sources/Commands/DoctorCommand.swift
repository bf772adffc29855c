import ArgumentParser
import Diagnosing
import FileSystem
import Essentials
import LogReading
import ModelLoading
import Momtool
import Reporting
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
            message as well as a store. Ends with status 1 when something is wrong, and
            with 65 when it recognizes nothing in a log.

            EXAMPLE
              momtool doctor Shop.sqlite --model Shop.xcdatamodeld
              momtool doctor crash.log --model Shop.xcdatamodeld --format json
              momtool doctor Shop.sqlite --model Shop.xcdatamodeld --git --range v1.0..main
            """
    )

    @Argument(help: "The store or the log; - for standard input.", completion: .file())
    var subject: String

    @Option(
        help:
            "The model of the app; repeat the option for models of other versions. The last one is the app's.",
        completion: .model
    )
    var model: [String]

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
            guard let last = bundles.last, let argument = model.last else {
                throw CommandFailure(usage: "name the model by --model")
            }
            let context = ModelContext(
                argument: argument,
                versions: bundles.flatMap(\.versions) + (try model.flatMap(history.versions)),
                current: try last.chosenVersion(version)
            )
            let diagnosis = try diagnosis(context)
            let report = DiagnosisReport(diagnosis)
            let inputs = InputFiles(model + (subject == "-" ? [] : [subject]))
            try output.deliver(sparing: inputs, report.rendered)
            guard !diagnosis.saysNothing else {
                let message = "no error, message or version hash of Core Data was recognized here"
                throw CommandFailure(.badData, subject, message, "nothing-recognized")
            }
            guard diagnosis.isHealthy else { throw CommandFailure(.findings, []) }
        }
    }

    private func diagnosis(_ context: ModelContext) throws -> Diagnosis {
        if subject == "-" {
            let bytes = readStart(of: 0, Self.logLimit)
            return diagnose(readLog(String(decoding: bytes, as: UTF8.self)), path: "-", context)
        }
        guard !isStore else {
            return try WorkDisplay.during("doctor", unit: "checks") { progress in
                try diagnose(StoreFile(path: subject), context, progress: progress)
            }
        }
        let log = readLog(try readText(subject, limit: Self.logLimit))
        return diagnose(log, path: subject, context)
    }

    /// The greatest size of a log in bytes.
    private static let logLimit = 64 << 20

    /// What is no text is a store, or refused as one.
    private var isStore: Bool {
        guard let identity = FileIdentity(of: subject) else { return false }
        return identity.isFolder
            || identity.isRegular && fileStart(subject, 4096)?.contains(0) == true
    }
}
