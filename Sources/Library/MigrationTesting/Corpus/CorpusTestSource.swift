import Diagnostics
import Essentials
import FileSystem
import ModelChecking
import ModelHashing
package import ModelLoading
package import Momtool
package import ObjectModel
import RowExchange
package import SettingsFiles
import StoreFormat
import SwiftDataReading

/// The Swift test that opens each store of a corpus with the app's own container, on a simulator or a Mac.
///
/// It needs only Foundation and Core Data, or SwiftData, and compares the facts in `corpus.json`.
func corpusTestSource(of bundle: ModelBundle) -> String {
    let model = fileURL(bundle.path).standardizedFileURL
    let name = model.deletingPathExtension().lastPathComponent.onOneLine
    var (imports, opening) = ("import CoreData\nimport Foundation", coreDataOpening)
    if let swift = bundle.swift, let current = bundle.currentVersion {
        let module = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        imports += "\nimport SwiftData\n\n@testable import \(module.swiftName)"
        opening = swiftDataOpening(of: current, swift)
    }
    // The module does not import itself.
    return sourceText.replacing("OPENING", with: opening)
        .replacing("MODEL_NAME", with: quoted(name)).replacing("FOUNDATION", with: imports)
        .replacing("FILE_URL", with: "URL(" + "fileURLWithPath: file)")
}

private let coreDataOpening = """
    private func openAsTheAppDoes(_ store: URL) throws -> NSManagedObjectModel {
        let container = NSPersistentContainer(name: MODEL_NAME)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container.managedObjectModel
    }
    """

private func swiftDataOpening(
    of version: ModelVersion,
    _ swift: ModelBundle.SwiftDetails
) -> String {
    let isListed = swift.schemas.contains(version.name)
    let list = version.model.entities.map { "\($0.name.swiftName).self" }.joined(separator: ", ")
    let classes = isListed ? "\(version.name).models" : "[\(list)]"
    let plan = swift.plans.first { $0.schemas.last == version.name }.map { plan in
        "\n        migrationPlan: \(plan.name).self,"
    }
    return """
        private func openAsTheAppDoes(_ store: URL) throws -> NSManagedObjectModel {
            _ = try ModelContainer(
                for: Schema(\(isListed ? "versionedSchema: \(version.name).self" : classes)),\(plan ?? "")
                configurations: ModelConfiguration(url: store, cloudKitDatabase: .none)
            )
            return NSManagedObjectModel.makeManagedObjectModel(for: \(classes))!
        }
        """
}

private let sourceText = """
    // Written once by momtool test --corpus --record; change the first function to what your app does.
    FOUNDATION

    #if canImport(Testing)
        import Testing
    #else
        import XCTest
    #endif

    /// Opens a store as the app does, which migrates it, and returns the model.
    OPENING

    private struct Corpus: Decodable {
        struct Values: Decodable {
            var values: Int
            var sum: String?
        }

        struct Entity: Decodable {
            var objects: Int
            var attributes: [String: Values]
            var relationships: [String: Int]
        }

        struct Store: Decodable {
            var name: String
            var entities: [String: Int]?
        }

        /// What entities have; a store names the places.
        var facts: [Entity]
        var stores: [Store]
    }

    /// A line for everything that is not as in corpus.json.
    private func faultsOfCorpus(_ file: String = #filePath) throws -> [String] {
        let folder = FILE_URL.deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appendingPathComponent("corpus.json"))
        let corpus = try JSONDecoder().decode(Corpus.self, from: data)
        return corpus.stores.flatMap { store -> [String] in
            guard let entities = store.entities?.mapValues({ corpus.facts[$0] }) else { return [] }
            do {
                return try faults(of: store.name, in: folder, entities).map { "\\(store.name): \\($0)" }
            } catch {
                return ["\\(store.name): \\(error)"]
            }
        }
    }

    private func faults(of name: String, in folder: URL, _ entities: [String: Corpus.Entity]) throws -> [String] {
        let work = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: work) }
        for file in ["\\(name).sqlite", ".\\(name)_SUPPORT"] {
            let source = folder.appendingPathComponent(file)
            guard FileManager.default.fileExists(atPath: source.path) else { continue }
            try FileManager.default.copyItem(at: source, to: work.appendingPathComponent(file))
        }
        let store = work.appendingPathComponent("\\(name).sqlite")
        let model = try openAsTheAppDoes(store)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let options = [NSReadOnlyPersistentStoreOption: true]
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        var lines: [String] = []
        var failure: (any Error)?
        context.performAndWait {
            do {
                for entity in entities.keys.sorted() {
                    guard let description = model.entitiesByName[entity], let expected = entities[entity] else {
                        lines.append("the model has no entity \\(entity)")
                        continue
                    }
                    lines += try differences(description, expected, context)
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return lines
    }

    private func differences(
        _ entity: NSEntityDescription, _ expected: Corpus.Entity, _ context: NSManagedObjectContext
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        let objects = try context.fetch(request)
        var lines: [String] = []
        func compare<Value: Equatable>(_ what: String, _ found: Value, _ wanted: Value) {
            if found != wanted { lines.append("\\(entity.name ?? "").\\(what): \\(found), expected \\(wanted)") }
        }
        compare("objects", objects.count, expected.objects)
        for (name, wanted) in expected.attributes.sorted(by: { $0.key < $1.key }) {
            guard let attribute = entity.attributesByName[name] else {
                lines.append("\\(entity.name ?? "") has no attribute \\(name)")
                continue
            }
            let values = objects.compactMap { $0.value(forKey: name) }
            compare("\\(name): values", values.count, wanted.values)
            if let sum = wanted.sum {
                let found = values.reduce(UInt64(0)) { $0 &+ hash($1, attribute.attributeType) }
                compare("\\(name): sum of values", String(found, radix: 16), sum)
            }
        }
        for (name, wanted) in expected.relationships.sorted(by: { $0.key < $1.key }) {
            guard let relationship = entity.relationshipsByName[name] else {
                lines.append("\\(entity.name ?? "") has no relationship \\(name)")
                continue
            }
            let found = objects.reduce(0) { count, object in
                switch object.value(forKey: name) {
                case let set as NSSet: count + set.count
                case let set as NSOrderedSet: count + set.count
                case let one: count + (one == nil || relationship.isToMany ? 0 : 1)
                }
            }
            compare("\\(name): links", found, wanted)
        }
        return lines
    }

    /// FNV-1a of the value's bytes.
    private func hash(_ value: Any, _ type: NSAttributeType) -> UInt64 {
        let bytes: [UInt8] =
            switch type {
            case .booleanAttributeType: Array(((value as? Bool) == true ? "1" : "0").utf8)
            case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
                Array(String((value as? NSNumber)?.int64Value ?? 0).utf8)
            case .doubleAttributeType: Array(String(((value as? Double) ?? 0).bitPattern).utf8)
            case .dateAttributeType:
                Array(String(((value as? Date)?.timeIntervalSinceReferenceDate ?? 0).bitPattern).utf8)
            case .stringAttributeType: Array(((value as? String) ?? "").utf8)
            case .UUIDAttributeType: (value as? UUID).map { id in withUnsafeBytes(of: id.uuid) { Array($0) } } ?? []
            default: (value as? Data).map { Array($0) } ?? []
            }
        return bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }

    #if canImport(Testing)
        @Test func storesOfEveryReleaseOpen() throws {
            for line in try faultsOfCorpus() { Issue.record("\\(line)") }
        }
    #else
        final class CorpusTests: XCTestCase {
            func testStoresOfEveryReleaseOpen() throws {
                for line in try faultsOfCorpus() { XCTFail(line) }
            }
        }
    #endif

    """

private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

/// A version that users have stores of.
package struct ShippedVersion: Sendable {
    /// The name of its files: that of the version, with its first release where several contents had that name.
    package internal(set) var name: String
    package let version: ModelVersion
    /// The tags of the releases that had it, oldest first; empty where no history is at hand.
    package let tags: [String]
}

extension ModelBundle {
    /// Returns the versions that shipped, those of equal hashes once: those of the lock, or those that a release has in
    /// git, or all before the current one.
    package func shippedVersions(
        _ settings: ToolConfiguration,
        _ swift: SwiftSettings
    ) -> [ShippedVersion] {
        let history = try? ModelHistory(of: path, swift: swift)
        let past = (history?.versions.reversed() ?? []).map { version in
            let commits = history?.commits[version.name]
            let tags = (commits?.tags ?? []).filter(settings.isRelease)
            let named = ModelVersion(
                name: commits?.version ?? version.name,
                path: version.path,
                model: version.model
            )
            return (version: named, tags: tags)
        }
        func shipped(_ version: ModelVersion) -> ShippedVersion {
            let tags = past.filter { $0.version.hashes == version.hashes }.flatMap(\.tags)
            let own = versions.first { $0.hashes == version.hashes }
            var seen: Set<String> = []
            return ShippedVersion(
                name: (own ?? version).name,
                version: own ?? version,
                tags: tags.filter { seen.insert($0).inserted }
            )
        }
        let locked = (lock()?.versions ?? []).compactMap { locked in
            (versions + past.map(\.version)).first { locked.isSame(as: $0) }
        }
        let released = past.filter { !$0.tags.isEmpty }.map(\.version)
        // The current version may not have shipped yet.
        let older = versions.count > 1 ? versions.filter { !$0.isCurrent } : versions
        let all = locked.isEmpty ? (released.isEmpty ? older : released) : locked
        var (known, names): (Set<ModelHashes>, Set<String>) = ([], [])
        return all.filter { known.insert($0.hashes).inserted }.map { version in
            var found = shipped(version)
            found.name = found.name.fileName
            if names.contains(found.name) {
                let mark = found.tags.first ?? String(known.count)
                found.name += "-" + mark.fileName
            }
            names.insert(found.name)
            return found
        }
    }
}

extension String {
    /// The name as that of a file on every system.
    fileprivate var fileName: String {
        String(map { $0.isLetter || $0.isNumber || "._-+ ".contains($0) ? $0 : "-" })
    }
}

/// The rows that a person accepted of a store, in the terms of the version that was current then; or those of a store.
package struct RecordedRows: Sendable {
    let path: String
    let model: ManagedObjectModel

    /// Compares a migrated store with the rows, if its model still has their properties with the same type.
    ///
    /// What a later version drops, renames or converts is judged by the step, not by its rows.
    func differences(
        in store: StoreFile,
        _ model: ManagedObjectModel,
        work: URL
    ) throws -> [String] {
        let isStore = path.hasSuffix(".sqlite")
        let rows =
            isStore
            ? RowSource(
                bytes: try exportedRows(of: StoreFile(path: path), model: self.model),
                path: path
            )
            : try RowSource(path: path)
        var expected = try ExpectedRows(rows, self.model, true, in: work)
        if isStore { expected.graph.lines = [:] }
        let (old, new) = (ModelGraph(self.model), ModelGraph(model))
        expected.graph = expected.graph.keeping { new.entity($0.entity) != nil }
        for object in expected.graph.objects {
            guard let before = old.entity(object.entity), let after = new.entity(object.entity)
            else { continue }
            expected.named[object.reference]?.formIntersection(
                old.attributes(of: before).filter { attribute in
                    new.attributes(of: after).contains {
                        $0.name == attribute.name && $0.type == attribute.type
                    }
                }.map(\.name)
                    + old.relationships(of: before).filter { relationship in
                        new.relationships(of: after).contains {
                            $0.name == relationship.name
                                && $0.destinationEntity == relationship.destinationEntity
                        }
                    }.map(\.name)
            )
        }
        let found = Data(try exportedRows(of: store, model: model))
        return PartialComparison(expected, try ObjectGraph(rows: found, model: model)).lines
    }
}
