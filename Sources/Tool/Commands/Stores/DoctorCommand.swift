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
              momtool doctor Shop.sqlite crash.log --model Shop.xcdatamodeld
              momtool doctor Shop.sqlite --model Shop.xcdatamodeld --git --range v1.0..main
            """
    )

    @Argument(
        help:
            "The store, the log, or the message itself, or a store and a log; - for standard input.",
        completion: .file()
    )
    var subject: [String]

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

    func validate() throws {
        guard !subject.isEmpty else { throw ValidationError("name a store, a log or a message") }
        guard subject.count < 3 else { throw ValidationError("give one store and one log at most") }
    }

    func run() throws {
        try Commands.run {
            let bundles = try model.map { try ModelArgument($0, swift.settings).load() }
            let histories = try model.compactMap(history.history)
            var context: ModelContext?
            if let last = bundles.last, let argument = model.last {
                context = ModelContext(
                    argument: argument,
                    versions: bundles.flatMap(\.versions) + histories.flatMap(\.versions),
                    current: try last.chosenVersion(version)
                )
            } else if version != nil || history.git {
                throw CommandFailure(usage: "--version and --git need a model: name it by --model")
            }
            let diagnosis = try diagnosis(context)
            let commits = histories.map(\.commits).reduce(into: [:]) { $0.merge($1) { $1 } }
            let report = DiagnosisReport(diagnosis, commits: commits.mapValues(\.reported))
            let files = subject.filter { $0 != "-" && !isMessage($0) }
            try output.deliver(sparing: InputFiles(model + files), report.rendered)
            guard !diagnosis.saysNothing else {
                let message = "no error, message or version hash of Core Data was recognized here"
                throw CommandFailure(.badData, subject[0], message, "nothing-recognized")
            }
            guard diagnosis.isHealthy else { throw CommandFailure(.findings, []) }
        }
    }

    /// Whether an argument is the message itself: no file has that name, and something in it is known.
    private func isMessage(_ subject: String) -> Bool {
        FileIdentity(of: subject) == nil && subject.count <= 4096 && !readLog(subject).isEmpty
    }

    private func diagnosis(_ context: ModelContext?) throws -> Diagnosis {
        let stores = subject.filter(isStore)
        let logs = subject.filter { !isStore($0) }
        guard stores.count < 2, logs.count < 2 else {
            let kind = stores.isEmpty ? "logs" : "stores"
            throw CommandFailure(usage: "these are two \(kind); give one store and one log at most")
        }
        guard let store = stores.first else {
            let (log, path) = try contents(ofLog: logs[0])
            return diagnose(log, path: path, context)
        }
        var diagnosis = try WorkDisplay.during("doctor", unit: "checks") { progress in
            do throws(StoreError) {
                return try diagnose(StoreFile(path: store), context, progress: progress)
            } catch {
                guard FileIdentity(of: store)?.isFolder != true else { throw error }
                return diagnoseUnreadable(store, because: "\(error)", context)
            }
        }
        if let log = logs.first {
            let (log, path) = try contents(ofLog: log)
            diagnosis.add(log, path: path, context)
        }
        return diagnosis
    }

    /// What a log or a message says, and what it is called.
    private func contents(ofLog subject: String) throws -> (LogContents, path: String) {
        if isMessage(subject) { return (readLog(subject), "the message") }
        if subject == "-" {
            let bytes = readStart(of: 0, Self.logLimit)
            return (readLog(String(decoding: bytes, as: UTF8.self)), "-")
        }
        return (readLog(try readText(subject, limit: Self.logLimit)), subject)
    }

    /// The greatest size of a log in bytes.
    private static let logLimit = 64 << 20

    /// What is no text is a store, or refused as one.
    private func isStore(_ subject: String) -> Bool {
        guard subject != "-", let identity = FileIdentity(of: subject) else { return false }
        return identity.isFolder
            || identity.isRegular
                && (fileStart(subject, 4096)?.contains(0) == true
                    || fileSize(subject) == 0 && FileIdentity(of: subject + "-wal") != nil)
    }
}

extension VersionCommits {
    /// The commits as the report has them.
    fileprivate var reported: DiagnosisReport.Commits {
        DiagnosisReport.Commits(path: path, first: first, date: date, last: last, tags: tags)
    }
}
