import CorpusStores
import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import ModelRebuilding

/// A model is rebuilt from stores whose own one is taken away, and compared with that.
struct RebuildingTests {
    /// More is tried where there is time: `MOMTOOL_EFFORT=20000`.
    private static let effort =
        Int(ProcessInfo.processInfo.environment["MOMTOOL_EFFORT"] ?? "") ?? 300

    /// The models of the projects of the corpus, by the project.
    private static let models: [String: [ManagedObjectModel]] = {
        var models: [String: [ManagedObjectModel]] = [:]
        var known: Set<ModelHashes> = []
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodel") }) {
            for version in readModelBundle(at: Corpus.path(path)).value.versions
            where known.insert(version.hashes).inserted {
                models[project(path), default: []].append(version.model)
            }
        }
        return models
    }()

    private static func project(_ path: String) -> String {
        String(path.split(separator: "/").first ?? "")
    }

    private func count(_ stores: [String], _ likenesses: (String) -> [ManagedObjectModel]) throws {
        var figures = RebuildingFigures()
        let start = ContinuousClock.now
        for path in stores {
            let store = try StoreFile(path: path)
            let model = try #require(embeddedModel(of: store))
            let real = versionHashes(of: model)
            let like = likenesses(path).filter { versionHashes(of: $0) != real }
            var rebuilding = try ModelRebuilding(StoreEvidence(of: store), like)
            rebuilding.proveAll(RebuildingBudget(effort: Self.effort))
            let rebuilt = rebuilding.assembled()
            let found = versionHashes(of: rebuilt.model).entities
            for name in rebuilt.provenEntities {
                #expect(found[name] == real.entities[name], "\(path): \(name)")
                #expect(agrees(name, rebuilt.model, model), "\(path): \(name)")
            }
            let names = Set(model.entities.map(\.name))
            #expect(Set(rebuilt.model.entities.map(\.name)) == names, "\(path)")
            #expect(rebuilt.diagnostics.filter { $0.element != nil }.count == names.count)
            expectInverses(of: rebuilt.model, path)
            figures.add(rebuilding, rebuilt, model)
        }
        print("\(figures.table)in \(ContinuousClock.now - start), at effort \(Self.effort)")
        #expect(figures.proven * 3 > figures.entities)
        #expect(figures.obstacles.values.reduce(figures.proven, +) == figures.entities)
        #expect(figures.attributes.right * 2 > figures.attributes.count)
    }

    /// Every relationship leads back along one that is there, so that the model compiles.
    private func expectInverses(of model: ManagedObjectModel, _ path: String) {
        let graph = ModelGraph(model)
        for entity in model.entities {
            for relationship in entity.relationships where relationship.inverseName != nil {
                let place = graph.inversePlace(of: relationship)
                #expect(place != nil, "\(path): \(entity.name).\(relationship.name)")
            }
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func `what is rebuilt of stores without a model leads back along what is there`() throws {
        let paths = Corpus.paths {
            $0.hasSuffix(".sqlite")
                && ($0.hasPrefix("artsy+energy") || $0.hasPrefix("richardpiazza+XcodeServer"))
        }
        let stores = try paths.map { try StoreFile(path: Corpus.path($0)) }
            .filter { embeddedModel(of: $0) == nil }
        #expect(stores.count > 8)
        for store in Sweep.part(of: stores, every: 5) {
            let rebuilt = try rebuildModel(
                of: store,
                resembling: [],
                within: RebuildingBudget(effort: Self.effort)
            )
            expectInverses(of: rebuilt.model, store.path)
        }
    }

    /// Whether an entity has the same stored properties in both models.
    private func agrees(
        _ name: String,
        _ rebuilt: ManagedObjectModel,
        _ real: ManagedObjectModel
    ) -> Bool {
        func properties(_ model: ManagedObjectModel) -> [String] {
            let graph = ModelGraph(model)
            guard let entity = graph.entity(name) else { return [] }
            return graph.lineage(of: entity).flatMap(\.properties).filter {
                !$0.isTransient && !($0 is FetchedProperty)
            }
            .map { property in
                let type = (property as? Attribute).map { "\($0.type)" }
                let target = (property as? Relationship).map {
                    "\($0.destinationEntity ?? "") \($0.inverseName ?? "") \($0.isOrdered)"
                }
                return "\(property.name) \(property.isOptional) \(type ?? target ?? "")"
            }
            .sorted()
        }
        return properties(rebuilt) == properties(real)
    }

    /// The table of RebuildingModels: `MOMTOOL_SWEEP=whole MOMTOOL_EFFORT=60000`.
    @Test func `no guess is called proven that differs`() throws {
        try count(Sweep.part(of: storesWithModel, every: 3)) { _ in [] }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func `other versions of the model prove more, and nothing wrong`() throws {
        let root = Corpus.path("")
        try count(Sweep.part(of: storesWithModel.filter { $0.hasPrefix(root) }, every: 3)) { path in
            Self.models[Self.project(String(path.dropFirst(root.count)))] ?? []
        }
    }

    @Test(arguments: [
        ("FIRSTNAME", "firstName"), ("CREATEDAT", "createdAt"), ("ISFAVORITE", "isFavorite"),
        ("IMAGEURL", "imageURL"), ("USERID", "userId"), ("ID", "id"), ("LAST_SEEN", "last_seen"),
    ])
    func `names are spelled as people spell them`(_ text: String, _ name: String) {
        let spellings = NameGuesses().spellings(of: text)
        #expect(spellings.prefix(3).map(\.name).contains(name), "\(spellings)")
        #expect(spellings.allSatisfy { $0.name.uppercased() == text })
    }

    @Test func `a name that the store shows comes first`() {
        var names = NameGuesses()
        names.learn("xY")
        #expect(names.spellings(of: "XY").first?.name == "xY")
    }

    @Test func `combinations come each once, the cheapest first`() {
        let costs = [[0, 3, 4], [1], [0, 0, 7], [2, 5]]
        let all = Array(CheapestFirst(costs))
        #expect(all.count == 18)
        #expect(Set(all).count == 18)
        let sums = all.map { choices in zip(costs, choices).reduce(0) { $0 + $1.0[$1.1] } }
        #expect(sums == sums.sorted())
        #expect(Array(CheapestFirst([])).count == 1)
    }

    @Test func `hostile stores end in a guess or an error`() throws {
        try withFolder { folder in
            for (place, sql) in [
                "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT", "DELETE FROM Z_PRIMARYKEY",
                "UPDATE Z_PRIMARYKEY SET Z_SUPER = 2", "UPDATE Z_PRIMARYKEY SET Z_NAME = 'A'",
                "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 9223372036854775000",
                "DROP TABLE ZBOOK", "ALTER TABLE ZBOOK RENAME TO ZB",
                "UPDATE Z_PRIMARYKEY SET Z_NAME = ''",
                "CREATE TABLE Z_1 (Z_PK INTEGER)", "CREATE TABLE Z_1A (Z_1, Z_1B, REFLEXIVE)",
                "CREATE TABLE Z_1A (Z_1B, Z_99999999999999999999C)",
                "CREATE INDEX Z_Book_UNIQUE_ ON ZBOOK (ZTITLE)",
            ].enumerated() {
                let path = folder.appending(path: "\(place).sqlite").path
                let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
                try FileManager.default.copyItem(atPath: fixture, toPath: path)
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try? connection.execute(sql)
                _ = try? rebuildModel(
                    of: StoreFile(path: path),
                    within: RebuildingBudget(effort: 10)
                )
            }
        }
    }
}
