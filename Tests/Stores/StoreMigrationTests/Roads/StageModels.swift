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

    /// The playlist's songs are an ordered one-to-many relationship; guests and members have a city's name.
    static let v1 = modelOf(
        "Playlist: title songs>>>Song.playlist; Song: title playlist>Playlist.songs",
        "Member: name city; Guest: name city"
    )

    static let v2 = edited(v1) { entities in
        for place in [2, 3] { entities[place].attributes += ["first", "last"].map(attributeOf) }
    }

    /// The name is gone; songs may be in several playlists, beside the old relationship.
    static let v3 = edited(v2) { entities in
        for place in [2, 3] { entities[place].attributes.removeFirst() }
        entities[0].relationships.append(linkOf("tracks>>>Song.playlists"))
        entities[1].relationships.append(linkOf("playlists>>Playlist.tracks"))
    }

    /// The old relationship is gone; there are people and cities beside members and guests.
    static let v4 = edited(v3) { entities in
        for place in [0, 1] { entities[place].relationships.removeFirst() }
        entities.append(entityOf("Person: first last isGuest:boolean home>City.people"))
        entities.append(entityOf("City: name people>>Person.home"))
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

    private static let rows =
        inserts("Playlist", "ZTITLE", "'Road'", "'Home'")
        + inserts(
            "Song",
            "ZTITLE, ZPLAYLIST, Z_FOK_PLAYLIST",
            "'one', 1, 4096; 'two', 1, 2048; 'three', 2, 2048; 'four', 1, 3072; 'five', NULL, NULL"
        ) + inserts("Member", "ZNAME, ZCITY", "'Ada Lovelace', 'London'", "'Plato', 'Athens'")
        + inserts("Guest", "ZNAME, ZCITY", "'Jean Luc Picard', 'London'", "NULL, NULL")

    /// Makes a store of the first version.
    static func with<Result>(_ body: (TestStore) throws -> Result) throws -> Result {
        try withStore(v1, rows, body)
    }

    /// Runs a handler on an empty store of the fourth version, without any step that changes rows.
    static func onPeople(_ handler: @escaping @Sendable (StoreContext) throws -> Void) throws {
        try withStore(v4) { try $0.migrate(to: v5, by: .before(handler)) }
    }

    static func migration(
        of store: StoreFile,
        from old: ManagedObjectModel,
        to new: ManagedObjectModel,
        by work: CustomStageWork,
        _ policies: MigrationPolicies = MigrationPolicies()
    ) throws(StoreMigrationError) -> Migration {
        let stage = CustomMigrationStage(
            migratingFrom: ManagedObjectModelReference(model: old, name: "old"),
            to: ManagedObjectModelReference(model: new, name: "new")
        )
        let stages = StagedMigrationManager([.custom(stage)])
        return try Migration(of: store, by: stages, works: [0: work], policies: policies)
    }

    static func summary(of path: String) throws -> [String] {
        let store = try StoreFile(path: path)
        let layout = StoreLayout(model: v5)
        guard let links = layout.links("tracks", of: "Playlist"), let key = links.orderKey
        else { return ["no order"] }
        let (join, source, destination) = (links.table, links.source, links.destination)
        return try store.texts(
            "SELECT p.ZTITLE, s.ZTITLE FROM \(join) AS j JOIN ZPLAYLIST AS p ON p.Z_PK = j.\(source) "
                + "JOIN ZSONG AS s ON s.Z_PK = j.\(destination) ORDER BY p.ZTITLE DESC, j.\(key)"
        )
            + store.texts(
                "SELECT p.ZFIRST, p.ZLAST, p.ZISGUEST, c.ZNAME FROM ZPERSON AS p LEFT JOIN ZCITY AS c ON c.Z_PK = p.ZHOME ORDER BY 1, 2"
            ) + store.texts("SELECT ZNAME FROM ZCITY ORDER BY 1")
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

    /// A migration of a store between two models without names.
    init(
        of store: StoreFile,
        from old: ManagedObjectModel,
        to new: ManagedObjectModel
    ) throws(StoreMigrationError) {
        try self.init(of: store, from: ModelVersion(model: old), to: ModelVersion(model: new))
    }

    /// A migration of a store of the playlists by one stage.
    init(of store: TestStore, _ stage: MigrationStage, _ work: CustomStageWork? = nil) throws {
        let works = work.map { [0: $0] } ?? [:]
        try self.init(of: store.file(), by: StagedMigrationManager([stage]), works: works)
    }

    /// A migration by a lightweight stage.
    init(staging store: TestStore, to new: ManagedObjectModel) throws {
        let versions = [store.model, new].map {
            ManagedObjectModelReference(ModelVersion(model: $0))
        }
        let stages = StagedMigrationManager([.lightweight(LightweightMigrationStage(versions))])
        try self.init(of: store.file(), by: stages)
    }
}
