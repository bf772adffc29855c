import ArgumentParser
import Diagnosing
import Diagnostics
import MappingInference
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting
import StoreFormat

struct IdentifyCommand: ParsableCommand, Sendable {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Find the version of a model that wrote a store.",
        discussion: """
            Compares entity hashes. When no version matches, it prints the nearest one
            with each entity that differs, and ends with status 3. The lock identifies a
            pruned version. Without --model, searches all models below the current
            folder.

            EXAMPLE
              momtool identify Shop.sqlite
              momtool identify Shop.sqlite --model Shop.xcdatamodeld
              momtool identify Shop.sqlite --model Shop.xcdatamodeld --git
            """
    )

    @OptionGroup var list: StoreArguments

    @Option(
        help: "The model; the best fitting one below the current folder when left out.",
        completion: .model
    )
    var model: String?

    @OptionGroup var fleet: FleetOptions

    @OptionGroup var history: HistoryOptions

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<TextFormats>

    func run() throws {
        let candidates = try candidates()
        let stores = try list.all()
        let files = FleetFiles(inputs: stores + candidates.map(\.argument), list: list.fromList)
        let journal = try fleet.openJournal(of: "identify", among: files, besides: output)
        let work = Fleet<IdentityReport>(
            command: "identify",
            options: fleet,
            isOneOfSeveral: stores.count > 1,
            keepsReports: true
        )
        let all = work.run(stores.map { MigrationTarget(store: $0) }, journal: journal) {
            result(of: $0.store, among: candidates)
        } handle: { _ in
        }
        let batch = Batch(ending: all.statuses)
        // Among several, a store that cannot be read has its entry too.
        let reports = list.isList ? all.reports : all.reports.filter { $0.error == nil }
        if reports.isEmpty { try batch.finish() }
        noteModels(of: reports)
        try output.deliver(sparing: files.spared) { format in
            // People have seen the errors.
            (format == .json ? reports : reports.filter { $0.error == nil }).rendered(as: format)
        }
        try batch.finish()
    }

    private func result(
        of store: String,
        among candidates: [Candidate]
    ) -> StoreResult<IdentityReport> {
        let failed = { (outcome: MigrationOutcome) in
            IdentityReport(store: store, model: candidates[0].bundle.path, error: outcome.reasons)
        }
        return StoreResult.of(store, failing: failed) {
            let report = try report(of: store, among: candidates)
            let status: ExitStatus? =
                report.isUnknown ? .refused : report.partial == nil ? nil : .findings
            let outcome = MigrationOutcome(
                status == nil ? "identified" : "unknown",
                of: store,
                summary: report.rendered(as: .text)
            )
            var failure = status.map { CommandFailure($0, []) }
            if let fault = fault(of: report, among: candidates) { failure = CommandFailure(fault) }
            return StoreResult(outcome: outcome, report: report, failure: failure)
        }
    }

    /// Why a version that a store may have cannot be read.
    private func fault(of report: IdentityReport, among candidates: [Candidate]) -> MomtoolError? {
        let unread = candidates.flatMap(\.bundle.unreadableVersions)
        let mayBeUnread = report.remark == nil || unread.contains { $0.name == report.locked }
        return report.isUnknown && mayBeUnread ? unread.fault(of: report.store) : nil
    }

    private struct Candidate: Sendable {
        var argument: String
        var bundle: ModelBundle
        /// The versions that are not fully understood.
        var partial: [ModelVersion]
        var commits: [String: VersionCommits]
        let entities: Set<String>

        init(_ argument: String, _ bundle: ModelBundle, _ commits: [String: VersionCommits]) {
            (self.argument, self.bundle, self.commits) = (argument, bundle, commits)
            entities = Set(bundle.versions.flatMap { $0.model.entities.map(\.name) })
            partial = bundle.versions.filter { !$0.entitiesWithGaps.isEmpty }
            self.bundle.versions.removeAll { !$0.entitiesWithGaps.isEmpty }
        }
    }

    /// Reads the named model, or all below the current folder.
    private func candidates() throws -> [Candidate] {
        let found =
            model.map { [ModelPlace($0, swift: swift.settings)] }
            ?? ProjectContents(below: ".").usablePlaces(swift.settings)
        guard !found.isEmpty else {
            let message = "there is no model below this folder; name one with --model MODEL"
            throw CommandFailure(.noInput, ".", message, "nothing-to-check")
        }
        let read = try found.compactMap { argument -> Candidate? in
            do {
                // A store has a version or not, regardless of faults in the others.
                let (bundle, commits) = try history.load(argument, allowingGaps: true)
                return Candidate(argument.path, bundle, commits)
            } catch {
                guard found.count > 1 else { throw error }
                CommandFailure(error).messages.forEach(Console.complain(text:))
                return nil
            }
        }
        guard !read.isEmpty else { throw CommandFailure(.badData, []) }
        return read
    }

    private func noteModels(of reports: [IdentityReport]) {
        guard model == nil else { return }
        for name in Set(reports.filter { $0.error == nil }.map(\.model)).sorted() {
            Console.note(each: ["compared with \(name), as there is no --model"])
        }
    }

    /// Compares a store with models, and chooses the one with its version, or with most of its entities.
    private func report(of path: String, among candidates: [Candidate]) throws -> IdentityReport {
        let store = try StoreFile(path: path)
        let hashes = try store.metadata().hashes
        // A model without entities has no hashes, and neither do its stores.
        guard
            !hashes.entities.isEmpty
                || candidates.contains(where: {
                    $0.bundle.versions.contains { $0.hashes == hashes }
                })
        else {
            let model = candidates.map { " --model \(shellWord($0.argument))" }.joined()
            throw CommandFailure(
                .badData,
                path,
                "the metadata does not say which version wrote the store; see which ones fit its tables: "
                    + "momtool doctor \(shellWord(path))\(model)",
                "damaged-metadata"
            )
        }
        let names = Set(hashes.entities.keys)
        let sorted = candidates.enumerated()
            .map { (place: $0, candidate: $1, overlap: $1.entities.intersection(names).count) }
            .sorted { (-$0.overlap, $0.place) < (-$1.overlap, $1.place) }
            .map(\.candidate)
        var best = try report(of: store, by: sorted[0])
        for candidate in sorted.dropFirst() where best.isUnknown {
            let report = try report(of: store, by: candidate)
            if !report.isUnknown { best = report }
        }
        if best.isUnknown, let merged = merged(sorted, for: names) {
            let report = try report(of: store, in: merged, [])
            if !report.isUnknown { best = report }
        }
        return best
    }

    /// The versions of the models that a store has entities of, each with each, as an app merges them; `nil` for one model.
    private func merged(_ candidates: [Candidate], for names: Set<String>) -> ModelBundle? {
        let touched = candidates.filter { !$0.entities.isDisjoint(with: names) }.map(\.bundle)
        guard ModelBundle.shareNoEntity(touched),
            let all = ModelVersion.combinations(of: touched.map(\.versions))
        else { return nil }
        return ModelBundle(
            path: touched.map(\.path).joined(separator: " + "),
            versions: all.map(ModelVersion.init(merging:))
        )
    }

    private func report(of store: StoreFile, by candidate: Candidate) throws -> IdentityReport {
        var report = try report(of: store, in: candidate.bundle, candidate.partial)
        if candidate.bundle.unreadableVersions.isEmpty {
            report.remarkForeignModel(try store.metadata().hashes.entityNames, candidate.entities)
        }
        let names = report.versions + [report.nearest].compactMap(\.self)
        let held = names.compactMap { name in candidate.commits[name]?.report(of: name) }
        report.commits = held.isEmpty ? nil : held
        return report
    }

    /// Compares a store with the versions that are understood, and with the understood parts of others.
    private func report(
        of store: StoreFile,
        in bundle: ModelBundle,
        _ partial: [ModelVersion]
    ) throws -> IdentityReport {
        let hashes = try store.metadata().hashes
        let bundle = bundle.narrowed(for: hashes) ?? bundle
        let identity = try identify(store, among: bundle.versions)
        let isExact = if case .exact = identity { true } else { false }
        if !isExact, let version = partial.last(where: { $0.understoodPart(has: hashes) }) {
            return IdentityReport(
                store: store.path,
                model: bundle.path,
                partial: version.name,
                notUnderstood: version.entitiesWithGaps.sorted()
            )
        }
        var changes: [Judgement] = []
        if case .nearest(let name, _) = identity, let version = bundle.version(named: name),
            let own = try embeddedVersion(of: store)
        {
            changes = inferMapping(from: own.value, to: version).judgements
        }
        var report = IdentityReport(
            store: store.path,
            model: bundle.path,
            identity: identity,
            writer: try StoreWriter(of: store, among: bundle.versions).map { writer in
                (bundle.versions[writer.place].name, writer.proof)
            },
            changes: changes
        )
        report.configuration = bundle.configuration
        if !isExact, let absent = bundle.absentVersions.first(where: { $0.hashes == hashes }) {
            (report.prunedOn, report.remark) = (absent.prunedDay, absent.remark)
            if absent.prunedDay == nil {
                report.locked = absent.name
            } else {
                report.pruned = absent.name
            }
        }
        return report
    }
}

extension IdentityReport {
    /// Remarks that a store belongs to another model, to which no version is near.
    fileprivate mutating func remarkForeignModel(_ names: [String], _ known: Set<String>) {
        guard nearest != nil, remark == nil, known.isDisjoint(with: names) else { return }
        (nearest, differences) = (nil, [])
        let list = names.sorted().listed(most: 5)
        remark = "another model: no version of \(model) has any of its entities (\(list))"
    }
}

extension ModelVersion {
    func understoodPart(has hashes: ModelHashes) -> Bool {
        let known = without(entitiesWithGaps).hashes.entities
        return !known.isEmpty && Set(model.entities.map(\.name)) == Set(hashes.entities.keys)
            && known.allSatisfy { hashes.entities[$0.key] == $0.value }
    }
}

func identify(_ store: StoreFile, among versions: [ModelVersion]) throws -> StoreIdentity {
    StoreFormat.identify(storeHashes: try store.metadata().hashes, among: versions)
}
