import ArgumentParser
import Diagnostics
import Essentials
import MappingInference
import ModelChecking
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import Reporting
import StoreFormat

/// `momtool identify`: which version of a model wrote a store.
struct IdentifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Find the version of a model that wrote a store.",
        discussion: """
            Compares entity hashes. When no version matches, it prints the nearest one
            with each entity that differs, and ends with status 3. A version that was
            pruned is named by the lock.

            EXAMPLE
              momtool identify Shop.sqlite --model Shop.xcdatamodeld
              momtool identify Shop.sqlite --model Shop.xcdatamodeld --git
            """
    )

    @OptionGroup var list: StoreArguments

    @Option(help: "The model.", completion: .model)
    var model: String

    @OptionGroup var history: HistoryOptions

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<TextFormats>

    func run() throws {
        try Commands.run {
            // A store is of a version or is not, whatever is wrong with the others.
            var (bundle, commits) = try history.load(
                ModelArgument(model, swift.settings),
                allowingGaps: true
            )
            let partial = bundle.versions.filter { !$0.entitiesWithGaps.isEmpty }
            bundle.versions.removeAll { !$0.entitiesWithGaps.isEmpty }
            var batch = Batch()
            let stores = try list.all()
            let part = stores.filter(list.contains)
            let display = WorkDisplay("identify", unit: "stores")
            var reports: [IdentityReport] = []
            for (place, path) in part.enumerated() {
                display.show(place, of: part.count)
                if var report = try batch.attempt({
                    try report(of: StoreFile(path: path), in: bundle, partial)
                }) {
                    let names = report.versions + [report.nearest].compactMap(\.self)
                    let held = names.compactMap { name in commits[name]?.report(of: name) }
                    report.commits = held.isEmpty ? nil : held
                    reports.append(report)
                } else if list.isList {
                    // Among several, also the store that cannot be read has its entry.
                    let error = batch.lastFaults.map(\.message).joined(separator: "; ")
                    reports.append(IdentityReport(store: path, model: bundle.path, error: error))
                }
            }
            display.clear()
            if reports.isEmpty { try batch.finish() }
            try output.deliver(sparing: InputFiles(stores + [model])) { format in
                // Texts are for people, whom standard error has told.
                (format == .json ? reports : reports.filter { $0.error == nil })
                    .rendered(as: format)
            }
            if reports.contains(where: \.isUnknown) { batch.note(.refused) }
            if reports.contains(where: { $0.partial != nil }) { batch.note(.findings) }
            try batch.finish()
        }
    }

    /// Compares a store with the versions that are understood, and with what is understood of the other ones.
    private func report(
        of store: StoreFile,
        in bundle: ModelBundle,
        _ partial: [ModelVersion]
    ) throws -> IdentityReport {
        let identity = try identify(store, among: bundle.versions)
        let hashes = try store.metadata().hashes
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
        if !isExact, let pruned = bundle.lock()?.prunedVersion(withHashes: hashes) {
            (report.pruned, report.prunedOn) = (pruned.name, pruned.prunedDay)
            report.remark = pruned.pruningRemark
        }
        return report
    }
}

extension ModelVersion {
    /// Whether a store has the entities of the version, and the hashes of those that are understood.
    func understoodPart(has hashes: ModelHashes) -> Bool {
        let known = without(entitiesWithGaps).hashes.entities
        return !known.isEmpty && Set(model.entities.map(\.name)) == Set(hashes.entities.keys)
            && known.allSatisfy { hashes.entities[$0.key] == $0.value }
    }
}

/// Finds the versions that a store was written with.
func identify(_ store: StoreFile, among versions: [ModelVersion]) throws -> StoreIdentity {
    StoreFormat.identify(
        storeHashes: try store.metadata().hashes,
        among: versions
    )
}
