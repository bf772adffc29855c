import ArgumentParser
import ModelHashing
import ModelLoading
import Momtool
import ObjectModel
import MomtoolReporting
import StoreFormat

struct HashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "Print Apple's checksum, digest and entity hashes of every version.",
        discussion: """
            EXAMPLE
              momtool hash Shop.xcdatamodeld --format json
              momtool hash Shop.xcdatamodeld#V2 --explain Order
              momtool hash Sources/Shop#SchemaV3
              momtool hash Sources/Shop --fit Shop.sqlite
            """
    )

    @Argument(
        help: "The model: .xcdatamodeld, .xcdatamodel, .momd, .mom or a store.",
        completion: .model
    )
    var model: String

    @Option(help: "Show what the hash of an entity is made of.", completion: .entity)
    var explain: String?

    @Option(
        help: ArgumentHelp(
            "For Swift sources: find what they leave open with the hashes of this store.",
            valueName: "store"
        ),
        completion: .file()
    )
    var fit: String?

    @OptionGroup var swift: SwiftOptions

    @OptionGroup var output: ReportOptions<TextFormats>

    func validate() throws {
        if fit != nil, !output.format.isEmpty {
            throw ValidationError(
                "--fit prints lines for .momtool.yml; it takes neither -o nor --format"
            )
        }
        if explain != nil, output.format.contains(where: { $0.format != .text }) {
            throw ValidationError("--explain is text only")
        }
    }

    func run() throws {
        let bundle: ModelBundle
        do {
            bundle = try ModelPlace(model, swift: swift.settings).load(
                allowingGaps: true,
                restingOn: explain == nil ? .allVersions : .chosenVersions
            )
        } catch let error as MomtoolError where error.kind == .noInput {
            guard explain == nil, let report = try reportOfMetadata() else { throw error }
            return try output.deliver(sparing: InputFiles([model]), report.rendered)
        }
        if let fit { return try show(bundle, fitting: fit) }
        if let explain {
            let text = try explanation(of: explain, in: bundle.chosenVersion())
            return try output.deliver(sparing: InputFiles([model])) { _ in text }
        }
        let isWhole = bundle.selectedVersionName == nil
        let versions = isWhole ? bundle.versions : [try bundle.chosenVersion()]
        hashTogether(versions)
        let report = HashReport(model: bundle.path, versions: versions.map(HashReport.Version.init))
        try output.deliver(sparing: InputFiles([model]), report.rendered)
        if isWhole { try bundle.requireAllVersions() }
        guard report.versions.allSatisfy({ $0.notUnderstood == nil }) else {
            throw CommandFailure(.findings, [])
        }
    }

    private func show(_ bundle: ModelBundle, fitting store: String) throws {
        let hashes = try StoreFile(path: store).metadata().hashes
        guard let fitting = SourceFitting(bundle, hashes: hashes) else {
            throw CommandFailure(usage: "--fit goes with Swift sources")
        }
        let isWhole = bundle.selectedVersionName == nil
        let versions = isWhole ? bundle.versions : [try bundle.chosenVersion()]
        var count = 0
        for version in versions {
            let outcome = fitting.outcome(for: version)
            Console.say("\(version.name): \(outcome.words(store))")
            switch outcome {
            case .readings(let readings):
                count += readings.count
                for reading in readings.prefix(5) {
                    Console.print(reading.configuration.joined(separator: "\n"), as: .verbatim)
                }
            case .fitsAlready: count += 1
            case .isAnother, .cannotBeSet, .tooMany: break
            }
        }
        guard count == 1 else { throw CommandFailure(.findings, []) }
    }

    /// The report of a store without a model.
    private func reportOfMetadata() throws -> HashReport? {
        // A file that is not a database is another kind of model.
        guard let store = try? StoreFile(path: model), try embeddedVersion(of: store) == nil else {
            return nil
        }
        let version = HashReport.Version(of: try store.metadata().hashes, named: "the metadata")
        return HashReport(model: model, versions: [version])
    }

    private func explanation(of entity: String, in version: ModelVersion) throws -> String {
        if let gaps = version.model.entities.first(where: { $0.name == entity })?.gaps,
            !gaps.isEmpty
        {
            throw CommandFailure(.findings, gaps.map(\.description))
        }
        guard let (hash, components) = explainVersionHash(of: entity, in: version.model) else {
            throw CommandFailure(noEntity: entity, in: version)
        }
        return hashExplanation(entity: entity, hash: hash, components: components)
    }
}

extension SourceFitting.Outcome {
    fileprivate func words(_ store: String) -> String {
        switch self {
        case .isAnother(let names): "\(store) has another version: \(names.joined(separator: ", "))"
        case .fitsAlready: "\(store) has its hashes, so nothing is left open"
        case .readings([]): "no reading has the hashes of \(store)"
        case .readings(let readings) where readings.count == 1:
            "one reading has the hashes of \(store); in .momtool.yml:"
        case .readings(let readings):
            "\(readings.count) readings have the hashes of \(store), so it cannot decide"
        case .cannotBeSet(let names):
            "settings cannot supply what momtool does not understand of \(names.joined(separator: ", "))"
        case .tooMany: "there are too many readings to try"
        }
    }
}
