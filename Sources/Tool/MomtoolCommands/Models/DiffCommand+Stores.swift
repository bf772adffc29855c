import ArgumentParser
import Diagnostics
import FileSystem
import MappingInference
import ModelCompiling
import ModelDiffing
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel
import RowExchange
import StoreFormat

extension DiffCommand {
    /// Whether rows of stores are compared; a store beside a model means the model that it carries.
    var comparesStores: Bool {
        !gitDriver
            && (models.count == 2
                ? models.allSatisfy(isDatabase) : models.contains(where: isDatabase))
    }

    func compareStores() throws {
        try requireStores()
        let keys = try naturalKeys()
        let known = StoreModels(named: model, swift.settings)
        let sides = try models.map { path in
            let file = try StoreFile(path: path)
            let model = try known.model(of: file)
            return (store: try ComparedStore(file, model), model: model)
        }
        var options = RowComparisonOptions(entities: entity, naturalKeys: keys)
        options.renames = RowRenames(from: sides[0].model, to: sides[1].model)
        // Faults in the words are reported in the requested format, before a report is begun.
        try requireNames(of: options, in: sides[0].store, sides[1].store)
        let streams = try output.streams(sparing: InputFiles(models + [model].compactMap(\.self)))
        let comparison = try write(sides[0].store, sides[1].store, options, to: streams)
        Console.show(comparison.diagnostics)
        guard comparison.diagnostics.isEmpty else { throw CommandFailure(.findings, []) }
        guard comparison.value.total.isEqual || !exitCode else {
            throw CommandFailure(.differences, [])
        }
    }

    private func requireStores() throws {
        guard models.count == 2, models.allSatisfy(isDatabase) else {
            throw CommandFailure(usage: "a store is compared with another store: name two")
        }
        guard from == nil, to == nil, against == nil, level == nil else {
            throw CommandFailure(usage: "--from, --to, --against and --level go with models")
        }
        guard output.format.allSatisfy({ [.text, .json].contains($0.format) }) else {
            throw CommandFailure(usage: "differences of rows have the formats text and json")
        }
    }

    /// The attributes that identify objects, such as `Book.isbn` or `Person.first,last`.
    private func naturalKeys() throws -> [String: [String]] {
        var keys: [String: [String]] = [:]
        for text in by {
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let attributes = parts.last.map { $0.split(separator: ",").map(String.init) } ?? []
            guard parts.count == 2, !parts[0].isEmpty, !attributes.isEmpty else {
                throw CommandFailure(
                    usage:
                        "'--by \(text)' does not have the form Entity.attribute or Entity.attribute,attribute"
                )
            }
            keys[String(parts[0])] = attributes
        }
        return keys
    }

    private func write(
        _ old: ComparedStore,
        _ new: ComparedStore,
        _ options: RowComparisonOptions,
        to streams: [ReportStream]
    ) throws -> Diagnosed<RowComparison> {
        var reports = streams.map {
            RowDiffReport(models[0], models[1], as: $0.format, hasObjects: !summary)
        }
        do {
            return try writing {
                for (stream, report) in zip(streams, reports) {
                    try stream.write(report.beginning())
                }
                let comparison = try compareRows(of: old, with: new, options: options) {
                    difference throws(StoreError) in
                    do throws(FileError) {
                        for place in streams.indices {
                            try streams[place].write(reports[place].text(of: difference))
                        }
                    } catch { throw StoreError(error) }
                }
                for (stream, report) in zip(streams, reports) {
                    try stream.write(report.end(comparison.value))
                    try stream.finish()
                }
                return comparison
            }
        } catch {
            // A reader that closes the pipe, as `head` does, is not a failure of the command.
            guard streams.contains(where: \.isUnread) else {
                throw streams.lazy.compactMap(\.failure).first ?? error
            }
            return Diagnosed(RowComparison())
        }
    }
}

extension RowRenames {
    /// Finds what the inferred mapping between two models continues under another name.
    fileprivate init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
        self.init()
        let (from, to) = (
            ModelVersion(name: "old", model: old), ModelVersion(name: "new", model: new)
        )
        for mapping in inferMapping(from: from, to: to).entityMappings {
            guard let source = mapping.sourceEntity, let destination = mapping.destinationEntity
            else { continue }
            if source != destination { entities[source] = destination }
            for attribute in mapping.attributeMappings where attribute.elementPath.isEmpty {
                guard let name = attribute.source?.name, name != attribute.destination.name
                else { continue }
                properties[destination, default: [:]][name] = attribute.destination.name
            }
            for relationship in mapping.relationshipMappings {
                guard case .relationship(let origin) = relationship.origin,
                    origin.name != relationship.destination.name
                else { continue }
                properties[destination, default: [:]][origin.name] = relationship.destination.name
            }
        }
    }
}

enum DiffLevel: String, ExpressibleByArgument, CaseIterable {
    /// What changes version hashes.
    case hash
    /// Also what compiled models hold, and so stores and apps at run time.
    case store
    /// Everything in sources, such as which classes Xcode writes.
    case source

    /// The level that two versions share: a compiled model holds less than Xcode's source.
    init(comparing old: ModelVersion, _ new: ModelVersion) {
        let hasSwift = old.isSwift || new.isSwift
        self = hasSwift || old.isSource == new.isSource ? .source : .store
    }

    /// Returns a version with what counts at this level.
    func form(of version: ModelVersion) -> ModelVersion {
        // Swift sources lack what is Xcode's; only they mark the current date as a default.
        guard self != .source, !version.isSwift else { return version }
        let compiled = compileModel(version.model)
        Console.show(compiled.diagnostics)
        var read = readCompiledModel(compiled.value, path: version.path).value
        read.copySourceMarks(of: version.model)
        return ModelVersion(
            name: version.name,
            path: version.path,
            isCurrent: version.isCurrent,
            model: read
        )
    }

    func part(of diff: ModelDiff) -> ModelDiff {
        guard self == .hash else { return diff }
        var diff = diff
        diff.changes.removeAll { !$0.movesVersionHash && !$0.addsOrRemovesEntity }
        return diff
    }
}

extension ModelVersion {
    /// Whether it was read from a source of Xcode's, with what its editor knows.
    fileprivate var isSource: Bool { path.isEmpty || path.hasSuffix(".xcdatamodel") }

    fileprivate var isSwift: Bool { path.hasSuffix(".swift") }
}
