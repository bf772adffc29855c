import Foundation
import MappingInference
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport

/// Five versions with stages between them: a name is split, an ordered to-many relationship becomes many-to-many, and
/// two entities become one.
enum StageModels {
    static let versions: [ModelVersion] = zip(1..., [v1, v2, v3, v4, v5]).map { number, model in
        ModelVersion(name: "V\(number)", model: model)
    }

    static func reference(_ number: Int) -> ManagedObjectModelReference {
        let version = versions[number - 1]
        return ManagedObjectModelReference(model: version.model, name: version.name)
    }

    static func custom(_ from: Int, _ to: Int, _ label: String) -> MigrationStage {
        .custom(
            CustomMigrationStage(migratingFrom: reference(from), to: reference(to), label: label)
        )
    }

    static func text(_ name: String) -> Attribute { Attribute(name, .string) }

    static func link(
        _ name: String,
        _ destination: String,
        _ inverse: String,
        isToMany: Bool = false,
        isOrdered: Bool = false
    ) -> Relationship {
        Relationship(
            name: name,
            isToMany: isToMany,
            isOrdered: isOrdered,
            maxCount: isToMany ? nil : 1,
            destinationEntity: destination,
            inverseName: inverse,
            inverseEntity: destination
        )
    }

    /// The playlist's songs are an ordered one-to-many relationship; guests and members have a city's name.
    static let v1 = ManagedObjectModel([
        Entity(
            "Playlist",
            [text("title")],
            relationships: [link("songs", "Song", "playlist", isToMany: true, isOrdered: true)]
        ),
        Entity("Song", [text("title")], relationships: [link("playlist", "Playlist", "songs")]),
        Entity("Member", [text("name"), text("city")]),
        Entity("Guest", [text("name"), text("city")]),
    ])

    static let v2 = edited(v1) { entities in
        for place in [2, 3] { entities[place].attributes += [text("first"), text("last")] }
    }

    /// The name is gone; songs may be in several playlists, beside the old relationship.
    static let v3 = edited(v2) { entities in
        for place in [2, 3] { entities[place].attributes.removeFirst() }
        entities[0].relationships.append(
            link("tracks", "Song", "playlists", isToMany: true, isOrdered: true)
        )
        entities[1].relationships.append(link("playlists", "Playlist", "tracks", isToMany: true))
    }

    /// The old relationship is gone; there are people and cities beside members and guests.
    static let v4 = edited(v3) { entities in
        entities[0].relationships.removeFirst()
        entities[1].relationships.removeFirst()
        entities.append(
            Entity(
                "Person",
                [text("first"), text("last"), Attribute("isGuest", .boolean)],
                relationships: [link("home", "City", "people")]
            )
        )
        entities.append(
            Entity(
                "City",
                [text("name")],
                relationships: [link("people", "Person", "home", isToMany: true)]
            )
        )
    }

    static let v5 = edited(v4) { entities in
        entities.removeAll { $0.name == "Member" || $0.name == "Guest" }
    }

    private static func edited(
        _ model: ManagedObjectModel,
        _ edit: (inout [Entity]) -> Void
    ) -> ManagedObjectModel {
        var model = model
        edit(&model.entities)
        return model
    }

    static func makeStore(at path: String) throws {
        try createStore(at: path, model: v1) { connection, layout throws(StoreError) in
            func insert(_ entity: String, _ rows: [String]) throws(StoreError) {
                let number = layout.number(of: entity) ?? 0
                for (place, row) in rows.enumerated() {
                    let table = layout.table(of: entity)?.name ?? ""
                    let columns = row.isEmpty ? "" : columns[entity] ?? ""
                    try connection.execute(
                        "INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT\(columns)) "
                            + "VALUES (\(place + 1), \(number), 1, \(row))"
                    )
                }
                try connection.execute(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows.count) WHERE Z_ENT = \(number)"
                )
            }
            let columns = [
                "Playlist": ", ZTITLE", "Song": ", ZTITLE, ZPLAYLIST, Z_FOK_PLAYLIST",
                "Member": ", ZNAME, ZCITY", "Guest": ", ZNAME, ZCITY",
            ]
            try insert("Playlist", ["'Road'", "'Home'"])
            try insert(
                "Song",
                [
                    "'one', 1, 4096", "'two', 1, 2048", "'three', 2, 2048", "'four', 1, 3072",
                    "'five', NULL, NULL",
                ]
            )
            try insert("Member", ["'Ada Lovelace', 'London'", "'Plato', 'Athens'"])
            try insert("Guest", ["'Jean Luc Picard', 'London'", "NULL, NULL"])
        }
    }

    static func migrate(
        _ path: String,
        from old: ManagedObjectModel,
        to new: ManagedObjectModel,
        by work: CustomStageWork
    ) throws {
        try migration(of: StoreFile(path: path), from: old, to: new, by: work)
            .runInPlace(path: path, options: .agreed)
    }

    static func migration(
        of store: StoreFile,
        from old: ManagedObjectModel,
        to new: ManagedObjectModel,
        by work: CustomStageWork,
        policies: MigrationPolicies = MigrationPolicies()
    ) throws(StoreMigrationError) -> Migration {
        let stage = CustomMigrationStage(
            migratingFrom: ManagedObjectModelReference(model: old, name: "old"),
            to: ManagedObjectModelReference(model: new, name: "new")
        )
        return try Migration(
            of: store,
            by: StagedMigrationManager([.custom(stage)]),
            works: [0: work],
            policies: policies
        )
    }

    static func migration(
        of store: StoreFile,
        from old: ManagedObjectModel,
        to new: ManagedObjectModel,
        by map: StageMap,
        policies: MigrationPolicies = MigrationPolicies()
    ) throws(StoreMigrationError) -> Migration {
        let work = CustomStageWork(map: map)
        return try migration(of: store, from: old, to: new, by: work, policies: policies)
    }

    static func summary(of path: String) throws -> [String] {
        let store = try StoreFile(path: path)
        let layout = StoreLayout(model: v5)
        func rows(_ sql: String) throws -> [String] {
            try store.connection.rows(sql).map { row in
                row.map { $0.text ?? $0.integer.map(String.init) ?? "-" }.joined(separator: "|")
            }
        }
        guard
            case .joinTable(let join, let source, let destination, let key?)? = layout.storage(
                of: "tracks",
                declaredBy: "Playlist"
            )
        else { return ["no order"] }
        return try rows(
            "SELECT p.ZTITLE, s.ZTITLE FROM \(join) AS j JOIN ZPLAYLIST AS p ON p.Z_PK = j.\(source) "
                + "JOIN ZSONG AS s ON s.Z_PK = j.\(destination) ORDER BY p.ZTITLE DESC, j.\(key)"
        )
            + rows(
                "SELECT p.ZFIRST, p.ZLAST, p.ZISGUEST, c.ZNAME FROM ZPERSON AS p "
                    + "LEFT JOIN ZCITY AS c ON c.Z_PK = p.ZHOME ORDER BY 1, 2"
            ) + rows("SELECT ZNAME FROM ZCITY ORDER BY 1")
    }

    static let expected = [
        "Road|two", "Road|four", "Road|one", "Home|three", "-|-|1|-", "Ada|Lovelace|0|London",
        "Jean|Luc Picard|1|London", "Plato|-|0|Athens", "Athens", "London",
    ]
}

extension MigrationOptions {
    static var agreed: MigrationOptions { MigrationOptions(acceptsLosses: .all) }
}

extension Migration {
    var program: MigrationProgram { programs[0] }
    var mapping: InferredMapping { steps.first?.mapping ?? staying }
    private var staying: InferredMapping {
        let version = route.source ?? ModelVersion(model: ManagedObjectModel())
        return inferMapping(from: version, to: version)
    }
    var questions: [RowQuestion] { steps[0].questions }
}

extension Migration {
    /// A migration of a store between two models without names.
    init(
        of store: StoreFile,
        from old: ManagedObjectModel,
        to new: ManagedObjectModel
    ) throws(StoreMigrationError) {
        try self.init(of: store, from: ModelVersion(model: old), to: ModelVersion(model: new))
    }
}

extension StoreRepair {
    /// A repair of the store at a path.
    init(
        of path: String,
        against model: ManagedObjectModel,
        options: RepairOptions = RepairOptions()
    ) throws {
        try self.init(of: StoreFile(path: path), against: model, options: options)
    }
}
