import ArgumentParser
import Diagnosing
import Diagnostics
import Essentials
import FileSystem
import LogReading
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel
import StoreFormat

struct DoctorCommand: ParsableCommand, Sendable {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Find out what is wrong with a store, or what an error in a log means, and what to do.",
        discussion: """
            Reports which version of the model wrote the store, what Core Data does when
            the current version opens it, with which error it fails, what is wrong with
            the file, and the commands that help. Also takes a log, a crash report or a
            pasted message, alone or with a store. It needs no model, but says more with
            one. Several stores are examined independently of each other. Ends
            with status 1 when something is wrong, and with 65 when it recognizes nothing
            in a log.

            EXAMPLE
              momtool doctor Shop.sqlite --model Shop.xcdatamodeld
              momtool doctor "NSCocoaErrorDomain Code=134110"
              momtool doctor crash.log --model Shop.xcdatamodeld --format json
              momtool doctor Shop.sqlite crash.log --model Shop.xcdatamodeld
              momtool doctor Shop.sqlite --model Shop.xcdatamodeld --git --range v1.0..main
              momtool doctor --from-list stores.txt --model Shop.xcdatamodeld \\
                --format json=all.json
            """
    )

    @Argument(
        help:
            "The store, the log, or the message itself, a store and a log, or several stores; - for standard input.",
        completion: .file()
    )
    var subject: [String] = []

    @Option(help: StoreList.help, completion: .file()) var fromList: String?

    @OptionGroup var fleet: FleetOptions

    @Option(
        help:
            "The model of the app; repeat the option for models of other versions, with the app's last, or for models that the app merges, which share no entity.",
        completion: .model
    )
    var model: [String] = []

    @Option(
        help: "The version that the app has; the current one when left out.",
        completion: .version
    )
    var version: String?

    @Option(help: NamedMappingModels.help) var mappingModels: [String] = []

    @OptionGroup var history: HistoryOptions

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<TextFormats>

    func validate() throws {
        guard !subject.isEmpty || fromList != nil else {
            throw ValidationError("name a store, a log or a message")
        }
        if let advice = modelAdvice(among: subject) { throw ValidationError(advice) }
    }

    func run() throws {
        let named = try model.map { argument in
            DoctorModels.Named(
                argument: argument,
                bundle: try bundle(argument),
                history: try history.history(of: argument, swift.settings)
            )
        }
        let mappings = NamedMappingModels(paths: mappingModels)
        let models = try DoctorModels(named, version, mappings, swift.settings)
        guard !models.contexts.isEmpty || !model.isEmpty || version == nil && !history.git else {
            throw CommandFailure(usage: "--version and --git need a model: name it with --model")
        }
        let found = named.compactMap(\.history).map(\.commits).reduce(into: [:]) {
            $0.merge($1) { $1 }
        }
        let commits = found.reduce(into: [:]) { $0[$1.key] = $1.value.report(of: $1.key) }
        guard fleet.journal == nil || subject.allSatisfy(isStore) else {
            throw CommandFailure(usage: "--journal is for stores alone")
        }
        guard fromList == nil, fleet.journal == nil, !areSeveralStores else {
            return try examineAll(models, commits)
        }
        let diagnosis = try diagnosis(models)
        let report = DiagnosisReport(diagnosis, commits: commits)
        let files = subject.filter { $0 != "-" && !isMessage($0) }
        try output.deliver(sparing: InputFiles(model + files), report.rendered)
        guard !diagnosis.saysNothing else {
            let start = isSentence(subject[0]) ? "no file has this name, and " : ""
            let message =
                start
                + "no error, message or version hash of Core Data was recognized here; give a store, "
                + "a log, a crash report or a pasted message"
            throw CommandFailure(.badData, subject[0], message, "nothing-recognized")
        }
        guard diagnosis.isHealthy else { throw CommandFailure(.findings, []) }
    }

    /// Whether several stores are named; a file among three or more may be damaged beyond recognition.
    private var areSeveralStores: Bool {
        let count = subject.count(where: isStore)
        return subject.count > 1 && (count == subject.count || subject.count > 2 && count > 0)
    }

    private func examineAll(
        _ models: DoctorModels,
        _ commits: [String: VersionCommitsReport]
    ) throws {
        let stores = try subject + StoreList.paths(inList: fromList)
        let files = FleetFiles(inputs: model + stores, list: fromList)
        let journal = try fleet.openJournal(of: "doctor", among: files, besides: output)
        let isPrinted = output.format.isEmpty
        let work = Fleet<DiagnosisReport>(
            command: "doctor",
            options: fleet,
            isOneOfSeveral: true,
            keepsReports: !isPrinted
        )
        let all = work.run(stores.map { MigrationTarget(store: $0) }, journal: journal) { target in
            result(of: target.store, models, commits)
        } handle: { result in
            guard isPrinted, result.report.error == nil else { return }
            Console.print(result.report.rendered(as: .text) + "\n", as: .lines)
        }
        if !isPrinted { try output.deliver(sparing: files.spared, all.reports.rendered) }
        if isPrinted { Console.say(all.counts.words(for: "healthy")) }
        if let worst = all.worst { throw CommandFailure(worst, []) }
    }

    private func result(
        of store: String,
        _ models: DoctorModels,
        _ commits: [String: VersionCommitsReport]
    ) -> StoreResult<DiagnosisReport> {
        StoreResult.of(store, failing: { DiagnosisReport(of: store, error: $0.summary) }) {
            let diagnosis = try examined(store, models, nil)
            let isHealthy = diagnosis.isHealthy
            let outcome = MigrationOutcome(
                isHealthy ? "healthy" : "ill",
                of: store,
                summary: "\(store): \(isHealthy ? "healthy" : "something is wrong")",
                messages: diagnosis.findings.map(\.commandWords)
            )
            return StoreResult(
                outcome: outcome,
                report: DiagnosisReport(diagnosis, commits: commits),
                failure: isHealthy ? nil : CommandFailure(.findings, [])
            )
        }
    }

    private func examined(
        _ store: String,
        _ models: DoctorModels,
        _ progress: ((_ done: Int, _ total: Int) -> Void)?
    ) throws -> Diagnosis {
        do throws(StoreError) {
            let file = try StoreFile(path: store)
            return models.advised(try diagnose(file, models.context(for: file), progress: progress))
        } catch {
            // Only a regular file can be examined; others may never return a byte.
            guard FileIdentity(of: store)?.isRegular == true else { throw error }
            return diagnoseUnreadable(store, because: error, models.whole)
        }
    }

    /// Reads a model; `nil` for Swift sources whose current version is not understood: they are left out.
    private func bundle(_ model: String) throws -> ModelBundle? {
        let bundle = try ModelPlace(model, swift: swift.settings).load(allowingGaps: true)
        if let usable = bundle.forExamination { return usable }
        guard let version = bundle.currentVersion else { return nil }
        let gaps = version.entitiesWithGaps.sorted().joined(separator: ", ")
        Console.complain(
            "\(model): warning: the sources are left out, as momtool does not understand all of \(gaps)"
        )
        compareUnderstood(version)
        return nil
    }

    private func compareUnderstood(_ version: ModelVersion) {
        let known = version.without(version.entitiesWithGaps).hashes.entities
        for path in subject.filter(isStore) {
            guard let hashes = try? StoreFile(path: path).metadata().hashes else { continue }
            let others = known.filter { hashes.entities[$0.key] != $0.value }.keys.sorted()
            let words =
                version.understoodPart(has: hashes)
                ? "the understood part of \(version.name) has the hashes of the store"
                : others.isEmpty
                    ? "the store and \(version.name) do not have the same entities"
                    : "different in \(version.name): \(others.joined(separator: ", "))"
            Console.complain("\(path): note: \(words)")
        }
    }

    /// Whether an argument is the message itself: no file has that name, and it has a known part, or is a sentence.
    private func isMessage(_ subject: String) -> Bool {
        FileIdentity(of: subject) == nil && subject.count <= 4096
            && (!readLog(subject).isEmpty || isSentence(subject))
    }

    /// Whether an argument has words as no path has: no file has that name.
    private func isSentence(_ subject: String) -> Bool {
        FileIdentity(of: subject) == nil && subject.contains(where: \.isWhitespace)
            && (subject.contains(": ")
                || !subject.contains("/") && fileURL(subject).pathExtension.isEmpty)
    }

    private func diagnosis(_ models: DoctorModels) throws -> Diagnosis {
        let context = models.whole
        let stores = subject.filter(isStore)
        let logs = subject.filter { !isStore($0) }
        guard stores.count < 2, logs.count < 2 else {
            let kind = stores.isEmpty ? "logs" : "stores"
            throw CommandFailure(usage: "these are two \(kind); give at most one store and one log")
        }
        guard let store = stores.first else {
            let (log, path) = try contents(ofLog: logs[0])
            return diagnose(log, path: path, context)
        }
        var diagnosis = try WorkDisplay.during("doctor", unit: "checks") { progress in
            try examined(store, models, progress)
        }
        if let log = logs.first {
            let (log, path) = try contents(ofLog: log)
            let own = (try? StoreFile(path: store)).flatMap(models.context)
            diagnosis.add(log, path: path, own ?? context)
        }
        return diagnosis
    }

    private func contents(ofLog subject: String) throws -> (LogContents, path: String) {
        if isMessage(subject) { return (readLog(subject), "the message") }
        if subject == "-" {
            let bytes = readStart(of: 0, Self.logLimit)
            return (readLog(String(decoding: bytes, as: UTF8.self)), "-")
        }
        guard !subject.allSatisfy(\.isNumber) || exists(subject) else {
            let message =
                "momtool does not know this error code; give the whole message, or the log with it"
            throw CommandFailure(.badData, subject, message, "nothing-recognized")
        }
        return (readLog(try readText(subject, limit: Self.logLimit)), subject)
    }

    private static let logLimit = 64 << 20

    /// A file that is not text is a store, or refused as one; so is an empty one without the name of a log.
    private func isStore(_ subject: String) -> Bool {
        guard subject != "-", let identity = FileIdentity(of: subject) else { return false }
        let logs = ["log", "txt", "crash", "ips"]
        return identity.isFolder
            || identity.isRegular
                && (fileStart(subject, 4096)?.contains(0) == true || OtherStore(at: subject) != nil
                    || fileSize(subject) == 0 && !logs.contains(fileURL(subject).pathExtension))
    }
}

extension GoneVersion {
    /// Finds how commands name a version that commits had, and how to restore it.
    init(
        _ version: ModelVersion,
        _ held: VersionCommits,
        of argument: String,
        besides others: [ModelVersion],
        _ swift: SwiftSettings
    ) {
        let isFile = ["contents", "elements"].contains(fileURL(held.path).lastPathComponent)
        let place = isFile ? parent(of: held.path) : held.path
        let commits = [held.last, held.first].compactMap(\.self).map { String($0.prefix(12)) }
        // A model that was moved is elsewhere in other commits.
        let found = commits.lazy.compactMap {
            commit -> (commit: String, argument: String, isFreezable: Bool)? in
            let text = "\(commit):\(place)"
            guard let bundle = try? ModelPlace(text, swift: swift).readUsable().value,
                let match = bundle.versions.first(where: { $0.hashes == version.hashes })
            else { return nil }
            let isFreezable = bundle.swift != nil && bundle.currentVersion?.name == match.name
            return (commit, bundle.versions.count > 1 ? "\(text)#\(match.name)" : text, isFreezable)
        }.first
        let commit = found?.commit ?? commits[0]
        let name = fileURL(place).deletingPathExtension().lastPathComponent
        let isReplaced = others.contains { $0.name == name }
        let folder = parent(of: trimmedPath(argument))
        let git = folder == "." ? "git" : "git -C \(shellWord(folder))"
        let isThere = FileIdentity(of: argument) != nil
        let restoring =
            isFile && !isReplaced
            ? "\(git) restore --source=\(commit) -- \(shellWord(":/" + place))"
            : found?.isFreezable == true
                ? Wording(.freezing(of: argument, asOf: commit)).commandWords : nil
        self.init(
            commit: commit,
            path: place,
            argument: found.map { shellWord($0.argument) },
            restoring: isThere ? restoring.map { .shell($0) } : nil
        )
    }
}
