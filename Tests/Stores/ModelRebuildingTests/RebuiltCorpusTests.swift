import Diagnostics
import Foundation
import ModelCompiling
import ModelHashing
import ModelLoading
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import ModelRebuilding

/// Models are rebuilt from empty stores that were created from models of the corpus, whose cache is dropped.
struct RebuiltCorpusTests {
    private static let models: [(path: String, model: ManagedObjectModel)] = {
        var known: Set<ModelHashes> = []
        return Corpus.paths { $0.hasSuffix(".xcdatamodel") }.flatMap { path in
            readModelBundle(at: Corpus.path(path)).value.versions.compactMap { version in
                known.insert(version.hashes).inserted ? (path, version.model) : nil
            }
        }
    }()

    /// Writes an empty store without a model.
    private func store(of model: ManagedObjectModel, in folder: URL) throws -> StoreFile {
        let path = folder.appending(path: "Empty.sqlite").path
        _ = try createStore(at: path, model: model)
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.execute("DROP TABLE Z_MODELCACHE")
        return try StoreFile(path: path)
    }

    /// Expects that a rebuilt model can be written and read, and that nothing is called proven that differs.
    ///
    /// - Returns: the number of entities that are proven.
    @discardableResult
    private func expectRebuilt(
        _ model: ManagedObjectModel,
        effort: Int = 64,
        _ path: String
    ) throws -> Int {
        try withFolder { folder in
            guard let store = try? store(of: model, in: folder) else { return 0 }
            let rebuilt = try rebuildModel(of: store, within: RebuildingBudget(effort: effort))
            let real = versionHashes(of: model)
            let hashes = versionHashes(of: rebuilt.model)
            for name in rebuilt.provenEntities {
                #expect(hashes.entities[name] == real.entities[name], "\(path): \(name)")
            }
            let text = modelContents(of: rebuilt.model).value
            let read = readModel(contents: Data(text.utf8), path: "contents")
            let errors = read.diagnostics.filter { $0.severity == .error }
            #expect(errors.isEmpty, "\(path): \(errors.map(\.message))")
            #expect(versionHashes(of: read.value) == hashes, "\(path)")
            try expectColumns(of: rebuilt.model, in: store, path, folder)
            return rebuilt.provenEntities.count
        }
    }

    /// A store that is created from the rebuilt model has as many columns in each table.
    private func expectColumns(
        of model: ManagedObjectModel,
        in store: StoreFile,
        _ path: String,
        _ folder: URL
    ) throws {
        let copy = folder.appending(path: "Copy.sqlite").path
        _ = try createStore(at: copy, model: model)
        let columns = try [store, StoreFile(path: copy)].map { store in
            let rows = try store.connection.rows(
                """
                SELECT m.name, COUNT(*) FROM sqlite_master m, pragma_table_info(m.name) c
                WHERE m.type = 'table' AND m.name GLOB 'Z[A-Z]*' AND c.name NOT GLOB 'Z[0-9]*'
                AND c.name NOT GLOB 'Z_FOK_*' GROUP BY m.name
                """
            )
            return Set(rows.map { "\($0[0].text ?? "") \($0[1].integer ?? 0)" })
        }
        let missing = columns[0].subtracting(columns[1]).sorted()
        let surplus = columns[1].subtracting(columns[0]).sorted()
        #expect(missing.isEmpty, "\(path): \(missing) became \(surplus)")
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func `a model that is rebuilt from an empty store can be used, and proves nothing wrong`()
        throws
    {
        var (proven, count) = (0, 0)
        let models = Self.models.filter { Sweep.isWhole || $0.model.entities.count <= 25 }
        for (path, model) in Sweep.part(of: models, every: 20) {
            proven += try expectRebuilt(model, path)
            count += model.entities.count
        }
        print("\(proven) of \(count) entities of empty stores are proven")
        #expect(count > 50)
    }

    private func model(_ entities: Entity...) -> ManagedObjectModel {
        ManagedObjectModel(entities: entities)
    }

    private func link(
        _ name: String,
        to destination: String,
        _ inverse: String,
        isToMany: Bool = false
    ) -> Relationship {
        Relationship(
            name: name,
            isOptional: true,
            isToMany: isToMany,
            maxCount: isToMany ? nil : 1,
            destinationEntity: destination,
            inverseName: inverse,
            inverseEntity: destination
        )
    }

    private func text(_ name: String) -> Attribute {
        Attribute(name: name, type: .string, isOptional: true)
    }

    @Test(arguments: [
        ("Photo", "owner", "User", "photos"),
        ("ParticipantRole", "role", "Role", "participantRoles"),
    ])
    func `an inverse with the name that is guessed is proven`(
        _ from: String,
        _ name: String,
        _ to: String,
        _ back: String
    ) throws {
        let model = model(
            Entity(
                name: from,
                attributes: [text("title")],
                relationships: [link(name, to: to, back)]
            ),
            Entity(
                name: to,
                attributes: [text("name")],
                relationships: [link(back, to: from, name, isToMany: true)]
            )
        )
        #expect(try expectRebuilt(model, effort: 20_000, from) == 2)
    }

    @Test func `both ends of a relationship may belong to one entity`() throws {
        let model = model(
            Entity(
                name: "Folder",
                relationships: [
                    link("parent", to: "Folder", "children"),
                    link("children", to: "Folder", "parent", isToMany: true),
                ]
            )
        )
        #expect(try expectRebuilt(model, effort: 20_000, "Folder") == 1)
    }

    @Test func `names that begin with an underscore keep their columns`() throws {
        let entity = Entity(
            name: "Note",
            attributes: [text("_id"), text("_localName"), text("body")]
        )
        #expect(try expectRebuilt(model(entity), effort: 20_000, "Note") == 1)
    }

    @Test func `a search whose time is over ends with guesses`() throws {
        let budget = RebuildingBudget(deadline: .now)
        let path = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
        let rebuilt = try rebuildModel(of: StoreFile(path: path), within: budget)
        #expect(rebuilt.isCutShort)
        #expect(rebuilt.model.entities.count == 5)
    }
}
