import ArgumentParser
import Diagnostics
import Essentials
import FileSystem
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting
import StoreFormat

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract:
            "Show the contents of a store or a model: metadata, entities, properties and rows.",
        discussion: """
            EXAMPLE
              momtool inspect Shop.sqlite
              momtool inspect Shop.sqlite --sql
              momtool inspect Shop.sqlite --bytes
              momtool inspect Shop.sqlite --history
              momtool inspect Shop.app/Shop.momd --format json
            """
    )

    @Argument(
        help: "The stores and models: .momd, .mom, .xcdatamodeld or .xcdatamodel.",
        completion: .file()
    )
    var paths: [String]

    @Flag(help: "Show the SQL schema, with the names of the model in comments.") var sql = false

    @Flag(help: "Show how many bytes each entity, each index and the history use in a store.")
    var bytes = false

    @Flag(
        help:
            "Count the persistent history of a store, and what repair --prune-history 30 would free."
    )
    var history = false

    @Flag(help: "Show the current version of a model, and only the names of the others.")
    var current = false

    @Option(
        help: "Show only these entities; may be repeated.",
        completion: .entity
    )
    var entity: [String] = []

    @Flag(help: "Show only how many properties or rows each entity has.") var brief = false

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<TextFormats>

    func run() throws {
        var batch = Batch()
        var bundles: [ModelBundle] = []
        var reports: [InspectionReport] = []
        var isAny = false
        for path in paths {
            let report = try batch.attempt {
                if isStore(path) { return try inspectStore(path) }
                let bundle = try ModelPlace(path, swift: swift.settings)
                    .load(allowingGaps: true, restingOn: .allVersions)
                bundles.append(bundle)
                return try inspect(bundle)
            }
            isAny = isAny || report != nil
            let words = batch.lastFaults.first?.message ?? "it cannot be read"
            reports.append(report ?? .unreadable(path, error: words))
        }
        if !isAny { try batch.finish() }
        try output.deliver(sparing: InputFiles(paths)) { format in
            // People have seen the errors.
            (format == .json ? reports : reports.filter { !$0.isUnreadable }).rendered(as: format)
        }
        for bundle in bundles { _ = try batch.attempt(bundle.requireAllVersions) }
        try batch.finish()
    }

    /// A file that is not a model is a store, or refused as one.
    private func isStore(_ path: String) -> Bool {
        FileIdentity(of: path)?.isFolder == false && ModelFileKind(at: path) == nil
            && !path.hasSuffix(".swift")
    }

    private func inspectStore(_ path: String) throws -> InspectionReport {
        let store = try StoreFile(path: path)
        let model = try embeddedVersion(of: store)
        Console.show(model?.diagnostics ?? [])
        let snapshot = try StoreSnapshot(of: store)
        let tables = model.map { model in
            storedLayout(of: model.value.model, snapshot.metadata, snapshot.schema).tables
        }
        let sizes =
            bytes
            ? try StoreSizes(of: store, entityTables: tables.map { Set($0.map(\.name)) }) : nil
        let start = Date().timeIntervalSinceReferenceDate - StoreReport.History.age * 24 * 60 * 60
        let counts =
            history
            ? try HistorySummary(of: store, model: model?.value.model, oldBefore: start) : nil
        var report = StoreReport(
            snapshot,
            model: model?.value.model,
            includesSQL: sql,
            history: counts,
            sizes: sizes
        )
        try requireEntities(among: report.entities.map(\.name), of: path)
        report.show(entity, isBrief: brief)
        return .store(report)
    }

    private func requireEntities(among names: [String], of path: String) throws {
        guard let missing = entity.first(where: { !names.contains($0) }) else { return }
        let message = "there is no entity '\(missing)'\(suggestion(for: missing, among: names))"
        throw CommandFailure(.usage, path, message, "unknown-entity")
    }

    private func inspect(_ bundle: ModelBundle) throws -> InspectionReport {
        let isChosen = bundle.selectedVersionName != nil
        let shown =
            isChosen
            ? try bundle.chosenVersion(nil)
            : current ? bundle.versions.first(where: \.isCurrent) : nil
        var report = ModelReport(
            model: bundle.path,
            versions: shown.map { [$0] } ?? bundle.versions,
            names: shown == nil || isChosen ? nil : bundle.versions.map(\.name)
        )
        try requireEntities(among: report.entityNames, of: bundle.path)
        report.show(entity, isBrief: brief)
        return .model(report)
    }
}

/// The report of a store or of a model, or why there is none, so that one list can hold both.
private enum InspectionReport: Rendering {
    case store(StoreReport)
    case model(ModelReport)
    case unreadable(String, error: String)

    var isUnreadable: Bool { if case .unreadable = self { true } else { false } }

    func rendered(as format: ReportFormat) -> String {
        switch self {
        case .store(let report): report.rendered(as: format)
        case .model(let report): report.rendered(as: format)
        case .unreadable(let path, let error): "\(path): \(error)"
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .store(let report): try report.encode(to: encoder)
        case .model(let report): try report.encode(to: encoder)
        case .unreadable(let path, let error):
            let object: JSONObject = ["path": path, "error": error]
            try object.encode(to: encoder)
        }
    }
}
