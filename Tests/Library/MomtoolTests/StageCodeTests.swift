import Diagnostics
import Foundation
import ModelHashing
import Momtool
import ObjectModel
import TestSupport
import Testing

/// Writes the user info of its mapping into the new attribute, and counts its calls.
private struct Fill: EntityMigrationPolicy {
    let calls = Calls()

    func begin(_ mapping: StageMap.EntityMap, with manager: MigrationManager) {
        calls.note(manager.destinationContext.isRehearsal)
    }

    func createDestinationInstances(
        forSource source: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {
        guard let id = try manager.createDestinationInstance(forSource: source.id, in: mapping)
        else { return }
        let text = "\(mapping.userInfo["mark"] ?? "") \(try source.value("a").text ?? "")"
        try manager.destinationContext.update("A", id, ["b": .text(text)])
    }
}

private final class Calls: Sendable {
    private let rehearsals = Locked<[Bool]>([])

    var all: [Bool] { rehearsals.withLock { $0 } }

    func note(_ isRehearsal: Bool) { rehearsals.withLock { $0.append(isRehearsal) } }
}

struct StageCodeTests {
    /// The mapping model `One.cdm` calls `App.Fill`.
    private func inProject(_ body: (URL) throws -> Void) throws {
        try withMappedStore(
            of: ["a": "$source.a"],
            policy: "App.Fill",
            userInfo: ["mark": "so"],
            rows: #"{"A": [{"@id": "p1", "a": "x"}]}"#
        ) { folder, _, _ in try body(folder) }
    }

    private static let mapped = "stages:\n  - custom: {from: V1, to: V2}\n    label: Fill\n"

    /// The contents of `.momtool.yml`, and of the stages file for the migrator.
    static let ways: KeyValuePairs<String, String> = [
        "": "",
        "mappingModels: [One.cdm]\n": "",
        "policies: {App.Fill: copy}\n": "",
        "policies: {Fill: delete}\nmappingModels: [One.cdm]\n": "",
        "stages: [Stages.yml]\n": mapped + "    map: One.cdm\n",
        "": mapped + "    map: One.cdm\n",
        "mappingModels: [One.cdm]\npolicies: {One/Fill: copy}\n": mapped,
        "": mapped + "mappingModels: [One.cdm]\npolicies: {App.Fill: copy}\n",
    ]

    private func migrator(
        _ way: (settings: String, stages: String),
        _ policies: [String: any EntityMigrationPolicy],
        in folder: URL
    ) throws -> Migrator {
        if !way.settings.isEmpty { try write(way.settings, ".momtool.yml", in: folder) }
        let stages = folder.appending(path: "Stages.yml").path
        if !way.stages.isEmpty { try write(way.stages, "Stages.yml", in: folder) }
        let isNamed = way.stages.isEmpty || way.settings.hasPrefix("stages:")
        return try Migrator(
            Model(folder.appending(path: "M.xcdatamodeld").path),
            stages: isNamed ? nil : stages,
            policies: policies
        )
    }

    @Test(arguments: ways.indices, ["App.Fill", "Fill", "One/App.Fill", "One.cdm/Fill"])
    func `registered code carries out the mapping model, whoever names it`(
        way: Int,
        name: String
    ) throws {
        try inProject { folder in
            let (way, fill) = (Self.ways[way], Fill())
            let migrator = try migrator((way.key, way.value), [name: fill], in: folder)
            let store = try Store(folder.appending(path: "Old.sqlite").path)
            let migration = try migrator.migration(of: store)
            #expect(migration.steps.count == 1, "\(migration)")
            if way.value.isEmpty {
                #expect(migration.steps[0].title.contains("One.cdm"), "\(migration)")
            }
            let result = folder.appending(path: "New.sqlite").path
            try migrator.migrate(store, to: result)
            let rows = try Rows(
                of: Store(result),
                model: Model(folder.appending(path: "M.xcdatamodeld").path)
            ).json()
            #expect(rows.contains(#""b": "so x""#), "\(rows)")
            #expect(fill.calls.all == [false])
        }
    }

    @Test(arguments: ways.indices)
    func `a misspelt policy is refused, with the name that may be meant`(way: Int) throws {
        try inProject { folder in
            let way = Self.ways[way]
            let error = #expect(throws: MomtoolError.self) {
                try migrator((way.key, way.value), ["App.Fil": Fill()], in: folder)
            }
            #expect(error?.kind == .usage)
            #expect(error?.diagnostics.map(\.rule) == ["unknown-policy"])
            let words = error?.description ?? ""
            #expect(words.contains("'App.Fil';") && words.contains("'App.Fill'"), "\(words)")
        }
    }

    @Test func `a policy that is left out is told as before`() throws {
        try inProject { folder in
            let store = try Store(folder.appending(path: "Old.sqlite").path)
            let inferred = try migrator(("", ""), [:], in: folder).migration(of: store)
            #expect(inferred.diagnostics.map(\.rule) == ["mapping-model-not-run"])
            // Whatever could be inferred, the app's code decides.
            let doctor = "doctor Old.sqlite --model M.xcdatamodeld"
            try expectRun(doctor, in: folder, nil, "One.cdm, if", not: ["inferred mapping"])
            let named = try migrator(("mappingModels: [One.cdm]\n", ""), [:], in: folder)
            let error = #expect(throws: MomtoolError.self) { try named.migration(of: store) }
            #expect(error?.diagnostics.map(\.rule) == ["mapping-policy"])
        }
    }

    @Test func `a misspelt label is refused, with the label that may be meant`() throws {
        try inProject { folder in
            try write(Self.mapped, "Stages.yml", in: folder)
            let error = #expect(throws: MomtoolError.self) {
                try Migrator(
                    Model(folder.appending(path: "M.xcdatamodeld").path),
                    stages: folder.appending(path: "Stages.yml").path,
                    handlers: ["Fil": StageHandlers()]
                )
            }
            #expect(error?.kind == .usage && error?.diagnostics.first?.rule == "unknown-stage")
            #expect(error?.description.contains("'Fill'") == true)
        }
    }

    @Test(arguments: [true, false])
    func `code runs once for each answer, and knows which one is thrown away`(
        isPolicy: Bool
    ) throws {
        try inProject { folder in
            let (fill, calls) = (Fill(), Calls())
            let handler = StageHandlers(
                willMigrate: { calls.note($0.isRehearsal) },
                didMigrate: { store in
                    calls.note(store.isRehearsal)
                    try store.update("A", 1, ["b": .text("y")])
                }
            )
            try write(Self.mapped, "Stages.yml", in: folder)
            let migrator =
                isPolicy
                ? try migrator(("", ""), ["Fill": fill], in: folder)
                : try Migrator(
                    Model(folder.appending(path: "M.xcdatamodeld").path),
                    stages: folder.appending(path: "Stages.yml").path,
                    handlers: ["Fill": handler]
                )
            let store = try Store(folder.appending(path: "Old.sqlite").path)
            var known = 0
            func new() -> [Bool] {
                let all = fill.calls.all + calls.all
                defer { known = all.count }
                return Array(all.dropFirst(known))
            }
            let once = isPolicy ? 1 : 2
            _ = try migrator.migration(of: store)
            #expect(new() == [])
            #expect(try migrator.losses(of: store) == [])
            #expect(new() == Array(repeating: true, count: once))
            try migrator.migrate(store, to: folder.appending(path: "New.sqlite").path)
            #expect(new() == Array(repeating: false, count: once))
            try migrator.migrateInPlace(
                store,
                backup: folder.appending(path: "Backup.sqlite").path,
                following: [.allowAllLosses]
            )
            #expect(new() == Array(repeating: false, count: once))
        }
    }

    @Test func `what a handler misspells is an error that names its stage`() throws {
        try inProject { folder in
            try write(Self.mapped, "Stages.yml", in: folder)
            let migrator = try Migrator(
                Model(folder.appending(path: "M.xcdatamodeld").path),
                stages: folder.appending(path: "Stages.yml").path,
                handlers: [
                    "Fill": StageHandlers(didMigrate: { store in
                        for object in try store.objects("A") {
                            try store.update("A", object.id, ["b": object.value("A")])
                        }
                    })
                ]
            )
            let store = try Store(folder.appending(path: "Old.sqlite").path)
            let error = #expect(throws: MomtoolError.self) {
                try migrator.migrate(store, to: folder.appending(path: "New.sqlite").path)
            }
            let fault = StoreContextError.unknownProperty(
                entity: "A",
                name: "A",
                help: suggestion(for: "A", among: ["a"])
            )
            #expect(error?.kind == .failed && error?.diagnostics.first?.rule == "stage-handler")
            #expect(error?.cause as? StoreContextError == fault)
            #expect(error?.description.contains("stage 'Fill") == true)
            #expect(error?.description.contains(fault.description) == true)
        }
    }
}

/// `MHWBookToBookPolicy` of the corpus in its first mapping model: authors become objects, one for each name.
private struct BookToBook: EntityMigrationPolicy {
    func createDestinationInstances(
        forSource source: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {
        try manager.createDestinationInstance(forSource: source.id, in: mapping)
        guard mapping.userInfo["modelVersion"] == "2" else { return }
        let key = ["name": try source.value("authorName")]
        _ = try manager.destinationContext.findOrCreate("Author", key)
    }

    func createRelationships(
        forDestination destination: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {
        try manager.createRelationships(forDestination: destination.id, in: mapping)
        let store = manager.destinationContext
        for id in try manager.sourceInstances(
            forEntityMappingName: mapping.name,
            destinationInstances: [destination.id]
        ) {
            guard let name = try manager.sourceContext.object("Book", id)?.value("authorName"),
                let author = try store.first("Author", "name", equals: name)
            else { continue }
            try store.link("Book", "authors", from: destination.id, to: author)
        }
    }
}

extension StageCodeTests {
    @Test(.enabled(if: Corpus.isPresent))
    func `policies that no step calls are named, with what lets the app's steps call them`() throws
    {
        let folder = "hwaxxer+BookMigration/BookMigration/"
        let model = try Model(Corpus.path(folder + "Model.xcdatamodeld"))
        let store = try Store(Corpus.path(folder + "Model1.sqlite"))
        let policies = ["MHWBookToBookPolicy": BookToBook()]
        let told = try Migrator(model, policies: policies).migration(of: store).diagnostics
            .filter { $0.rule == "mapping-policy" }
        #expect(told.map(\.severity) == [.warning])
        let text = told.first?.message ?? ""
        #expect(text.contains("'MHWBookToBookPolicy'"), "\(text)")
        #expect(text.contains("migration: stepwise"), "\(text)")
        let last = try Migrator(model, to: "Model2", policies: policies)
        #expect(
            try last.migration(of: store).diagnostics.filter { $0.rule == "mapping-policy" } == []
        )
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `an app of the corpus is migrated by its mapping model and a port of its policy`() throws {
        let folder = "hwaxxer+BookMigration/BookMigration/"
        let model = try Model(Corpus.path(folder + "Model.xcdatamodeld"))
        let store = try Store(Corpus.path(folder + "Model1.sqlite"))
        let migrator = try Migrator(
            model,
            to: "Model2",
            policies: ["MHWBookToBookPolicy": BookToBook()]
        )
        let migration = try migrator.migration(of: store)
        #expect(
            migration.steps.map(\.title) == [
                "by Model1_to_Model2.xcmappingmodel: map Model1 → Model2"
            ]
        )
        try withFolder { folder in
            let result = folder.appending(path: "New.sqlite").path
            let losses = try migrator.losses(of: store).compactMap(\.loss)
            #expect(!losses.contains("Book.authorName"))
            try migrator.migrate(store, to: result, following: losses.map { .allowLoss($0) })
            #expect(try Store(result).verify(against: model).filter { $0.severity == .error } == [])
            let old = try Set(
                Rows(of: store, model: model, entities: ["Book"]).all()
                    .compactMap { try $0.value("authorName", as: String.self) }
            )
            let migrated = try Store(result)
            let authors = try Rows(of: migrated, model: model, entities: ["Author"]).all()
            #expect(
                try authors.compactMap { try $0.value("name", as: String.self) }.count == old.count
            )
            #expect(!old.isEmpty)
            let books = try Rows(of: migrated, model: model, entities: ["Book"]).all()
            #expect(try books.allSatisfy { try $0.references("authors").count == 1 })
        }
    }
}
