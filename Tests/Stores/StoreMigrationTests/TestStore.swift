import Diagnostics
import Foundation
import MigrationPlanning
import MigrationTesting
import ObjectModel
import SQLiteAccess
import SettingsFiles
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// A store of a test, in a folder of its own.
struct TestStore {
    let folder: URL
    let model: ManagedObjectModel

    var path: String { place("Store.sqlite") }
    func place(_ name: String) -> String { folder.appending(path: name).path }
    func file() throws -> StoreFile { try StoreFile(path: path) }
    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: path)) }
    func execute(_ statements: String...) throws { try execute(statements) }

    /// Runs statements, and closes the store.
    func execute(_ statements: [String], _ arguments: [SQLiteValue] = []) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.registerTriggerFunctions()
        for sql in statements { try connection.execute(sql, arguments) }
    }

    func rows(_ query: String) throws -> [[SQLiteValue]] { try file().connection.rows(query) }
    func value(_ query: String) throws -> SQLiteValue? { try file().connection.value(query) }
    func texts(_ query: String) throws -> [String] { try file().texts(query) }

    func findings(_ model: ManagedObjectModel? = nil) throws -> [Diagnostic] {
        try verify(file(), against: model ?? self.model)
    }

    /// A migration by inference, or with the work of a stage.
    func migration(
        to new: ManagedObjectModel,
        by work: CustomStageWork? = nil,
        _ policies: MigrationPolicies = MigrationPolicies()
    ) throws -> Migration {
        let store = try file()
        guard let work else { return try Migration(of: store, from: model, to: new) }
        return try StageModels.migration(of: store, from: model, to: new, by: work, policies)
    }

    /// Migrates the store where it is.
    func migrate(
        to new: ManagedObjectModel,
        by work: CustomStageWork? = nil,
        _ policies: MigrationPolicies = MigrationPolicies(),
        _ options: MigrationOptions = .agreed
    ) throws {
        try migration(to: new, by: work, policies).runInPlace(path: path, options: options)
    }

    /// The new file that a migration makes.
    func result(
        of migration: Migration,
        _ options: MigrationOptions = .agreed,
        _ name: String = "New.sqlite"
    ) throws -> StoreFile {
        let new = place(name)
        try migration.run(from: file(), toNewFile: new, options: options)
        return try StoreFile(path: new)
    }

    /// Removes the files that no value of the store names.
    @discardableResult
    func tidy(compacting: Bool = false) throws -> StoreUpkeep {
        try .run(at: path, against: model, removingFiles: true, compacting: compacting)
    }

    func repair(
        _ options: RepairOptions = RepairOptions(),
        against other: ManagedObjectModel? = nil
    ) throws -> StoreRepair {
        try StoreRepair(of: file(), against: other ?? model, options: options)
    }
}

/// Makes a store; the greatest keys are those of its rows where no statement sets them.
func withStore<Result>(
    _ model: ManagedObjectModel,
    _ statements: [String] = [],
    history: Bool = false,
    files: [String: Data] = [:],
    _ body: (TestStore) throws -> Result
) throws -> Result {
    try withFolder { folder in
        let store = TestStore(folder: folder, model: model)
        let options = StoreCreationOptions(keepsHistory: history)
        try createStore(at: store.path, model: model, options: options) {
            connection,
            layout throws(StoreError) in
            for sql in statements { try connection.execute(sql) }
            guard !statements.contains(where: { $0.contains("Z_MAX") }) else { return }
            for table in layout.tables {
                let names = table.entities.map { "'\($0)'" }.joined(separator: ", ")
                let greatest = "COALESCE((SELECT max(Z_PK) FROM \(table.name)), 0)"
                try connection.execute(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(greatest) WHERE Z_NAME IN (\(names))"
                )
            }
        }
        if !files.isEmpty {
            let values = externalDataFolder(of: store.path)
            try makeFolder(values)
            for (name, data) in files { try data.write(to: values.appending(path: name)) }
        }
        return try body(store)
    }
}

/// Makes a store of a model with rows of all kinds.
func withSample<Result>(
    _ model: ManagedObjectModel,
    _ statements: [String] = [],
    rows: Int = 7,
    seed: UInt64? = nil,
    history: Bool = false,
    _ body: (TestStore) throws -> Result
) throws -> Result {
    try withFolder { folder in
        let store = TestStore(folder: folder, model: model)
        let path = store.path
        try makeSampleStore(at: path, model: model, rows: rows, seed: seed, keepsHistory: history)
        if !statements.isEmpty { try store.execute(statements) }
        return try body(store)
    }
}

/// Statements that insert objects of an entity, with keys from 1 on.
func inserts(_ entity: String, _ columns: String, _ rows: String...) -> [String] {
    let number = "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)')"
    return zip(1..., rows.flatMap { $0.split(separator: "; ") }).map { key, row in
        "INSERT INTO Z\(entity.uppercased()) (Z_PK, Z_ENT, Z_OPT, \(columns)) VALUES (\(key), \(number), 1, \(row))"
    }
}

extension StageWork {
    /// A program for the shell, which is given the objects of one entity.
    static func shell(_ script: String, _ entity: String) -> StageWork {
        let location = FileLocation(path: "Stages.yml", line: 4, column: 5)
        let words = ["sh", "-c", script]
        return .program(StageProgram(arguments: words, entities: [entity], location: location))
    }
}

extension CustomStageWork {
    static func before(_ script: String) -> CustomStageWork {
        CustomStageWork(willMigrate: .script(script, path: "s.sql"))
    }

    static func after(_ script: String) -> CustomStageWork {
        CustomStageWork(didMigrate: .script(script, path: "s.sql"))
    }

    static func before(
        _ handler: @escaping @Sendable (StoreContext) throws -> Void
    ) -> CustomStageWork { CustomStageWork(willMigrate: .handler(handler)) }

    static func after(
        _ handler: @escaping @Sendable (StoreContext) throws -> Void
    ) -> CustomStageWork { CustomStageWork(didMigrate: .handler(handler)) }

    /// The work of a map that has no mistakes; its first mapping may be carried out by a policy.
    static func mapped(_ text: String, policy: String? = nil) -> CustomStageWork {
        var map = readStageMap(text, path: "map.yml")
        #expect(map.diagnostics == [])
        if let policy { map.value.entities[0].policyName = policy }
        return CustomStageWork(map: map.value)
    }
}

struct MapRun {
    let store: TestStore
    let new: ManagedObjectModel
    let migration: Migration

    /// Such as `Book.notes 3 values`.
    func losses() throws -> [String] {
        try migration.findings(in: store.file()).map { "\($0.name) \($0.amount)" }
    }

    func result() throws -> StoreFile {
        let result = try store.result(of: migration)
        #expect(try verify(result, against: new).map(\.description) == [])
        return result
    }

    static func with(
        _ map: String,
        from old: ManagedObjectModel,
        to new: ManagedObjectModel,
        rows: [String],
        files: [String: Data] = [:],
        history: Bool = false,
        _ body: (MapRun) throws -> Void
    ) throws {
        try withStore(old, rows, history: history, files: files) { store in
            let migration = try store.migration(to: new, by: .mapped(map))
            try body(MapRun(store: store, new: new, migration: migration))
        }
    }
}

extension SQLiteValue {
    /// Whether it is the same number, as an integer or not, or the same value.
    func isSame(as other: SQLiteValue) -> Bool {
        switch (self, other) {
        case (.integer(let whole), .real(let real)), (.real(let real), .integer(let whole)):
            Int64(exactly: real) == whole
        default: self == other
        }
    }
}

extension StoreFile {
    func texts(_ query: String) throws -> [String] {
        try connection.rows(query).map { row in
            row.map { value in
                switch value {
                case .text(let text): text
                case .integer(let number): String(number)
                case .real(let number): String(number)
                case .null, .blob: "-"
                }
            }.joined(separator: "|")
        }
    }
}

/// A model of entities such as `Album/Parent: name size:integer16! songs>>Song.album; Song: album>Album.songs`.
///
/// An attribute is a text unless it has a type. `!` says that a value or a link is required. `>` leads to one object,
/// `>>` to several, `>>>` to several in an order. An abstract entity begins with `*`.
func modelOf(_ entities: String...) -> ManagedObjectModel {
    ManagedObjectModel(entities.flatMap { $0.split(separator: "; ") }.map { entityOf(String($0)) })
}

func entityOf(_ text: String) -> Entity {
    let parts = text.split(separator: ":", maxSplits: 1)
    let names = parts[0].drop { $0 == "*" }.split(separator: "/").map(String.init)
    let properties = (parts.count > 1 ? parts[1] : "").split(separator: " ")
    return Entity(
        names[0],
        parentEntity: names.count > 1 ? names[1] : nil,
        isAbstract: text.hasPrefix("*"),
        properties.filter { !$0.contains(">") }.map { attributeOf(String($0)) },
        relationships: properties.filter { $0.contains(">") }.map { linkOf(String($0)) }
    )
}

private let types = Dictionary(uniqueKeysWithValues: AttributeType.allCases.map { ("\($0)", $0) })

func attributeOf(_ text: String) -> Attribute {
    let parts = text.filter { $0 != "!" }.split(separator: ":")
    let type = parts.count > 1 ? types[String(parts[1])] : .string
    if type == nil { Issue.record("no type: \(text)") }
    return Attribute(String(parts[0]), type ?? .string, isOptional: !text.hasSuffix("!"))
}

func linkOf(_ text: String) -> Relationship {
    let parts = text.split { ">.!".contains($0) }.map(String.init)
    let inverse = parts.count > 2 ? parts[2] : nil
    let (isOptional, isOrdered) = (!text.hasSuffix("!"), text.contains(">>>"))
    return text.contains(">>")
        ? .many(parts[0], parts[1], inverse, isOptional: isOptional, isOrdered: isOrdered)
        : .one(parts[0], parts[1], inverse, isOptional: isOptional)
}

/// A large value beside a store, the forms of values in columns that may mean files, and models with such columns.
enum ExternalFile {
    static let name = "0E6C2F4A-6A0B-4C3B-9E57-3D1F2B4C5D6E"
    static let large = Data(repeating: 7, count: 140_000)
    static let marker = SQLiteValue.blob(Data([2]) + Data(name.utf8) + Data([0]))
    static let markerSQL = "CAST(x'02' || '\(name)' || x'00' AS BLOB)"

    static func attribute(_ name: String, _ isExternal: Bool = true) -> Attribute {
        Attribute(name: name, type: .binary, allowsExternalBinaryDataStorage: isExternal)
    }

    static func photo(_ name: String = "data", _ isExternal: Bool = true) -> ManagedObjectModel {
        ManagedObjectModel([Entity("Photo", [attribute(name, isExternal)])])
    }

    /// The data that a value stands for.
    static func plain(_ value: SQLiteValue, in store: StoreFile) throws -> SQLiteValue {
        guard case .blob(let stored) = value else { return value }
        if let name = externalFileName(stored) {
            let folder = externalDataFolder(of: store.path)
            return .blob(try Data(contentsOf: folder.appending(path: name)))
        }
        #expect(stored.first == 1)
        return .blob(Data(stored.dropFirst()))
    }
}
