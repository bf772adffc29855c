import ObjectModel
import StoreFormat
import TestSupport
import Testing

/// One-to-one links of which a map copies one side for some objects and the other side for others.
struct HalfCopiedLinkTests {
    private static let old = modelOf("A: uid x i>S.r", "S/A: r>A.i")
    private static let new = modelOf("A: uid i>S.r", "S/A: r>A.i")
    private static let rows = [
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZUID, ZI) VALUES (1, 1, 1, 'a', 2)",
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZUID, ZR, Z1_R) VALUES (2, 2, 1, 's', 1, 1)",
    ]

    @Test(arguments: [
        "findOrCreate: [uid], copyRest: false, set: {uid: $source.uid}",
        "copyRest: false, set: {uid: $source.uid}",
        "findOrCreate: [uid], set: {uid: $source.uid}",
    ])
    func `a link stays on both sides where one of them is copied`(_ parent: String) throws {
        let map = "entities: [{from: A, to: A, \(parent)}, {from: S, to: S}]"
        try MapRun.with(map, from: Self.old, to: Self.new, rows: Self.rows) { run in
            let lost = try run.losses()
            #expect(lost == [], "\(map)")
            let query =
                "SELECT count(*) FROM ZA AS s JOIN ZA AS a ON a.Z_PK = s.ZR AND a.ZI = s.Z_PK"
            let links = try run.result().texts(query)
            #expect(links == ["1"], "\(map)")
        }
    }

    private static let ownerless = "{from: B, to: B, copyRest: false, set: {uid: $source.uid}}"

    /// Mappings of entities whose links the inverse relationships set, of other mappings or of the parent's own.
    @Test(arguments: [
        ("{from: B, to: B}", ""), ("{from: B, to: B}", "set: {tags: $source.tags}"),
        ("{from: B, to: B, set: {owned: $source.owned, owner: $source.owner}}", ""),
        (ownerless, "set: {items: $source.items}"),
    ])
    func `a link stays that only the mapping of the inverse sets`(
        _ parent: String,
        _ more: String
    ) throws {
        let ends = "tags>>T.items owner>B.owned owned>>B.owner"
        let models = [" x", ""].map {
            modelOf("B: uid\($0) \(ends)", "S/B", "T: uid items>>B.tags")
        }
        let layouts = models.map { StoreLayout(model: $0) }
        let rows =
            [
                "INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZUID) VALUES (1, 1, 1, 'b')",
                "INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZUID, ZOWNER) VALUES (2, 2, 1, 's', 1)",
            ] + inserts("T", "ZUID", "'t'")
            + WrittenLinkTests.links(layouts[0], ("B", "tags"), ("T", "items"), [(1, 1), (2, 1)])
        let tag = more.contains("items") ? "{from: T, to: T, \(more)}" : "{from: T, to: T}"
        let own =
            more.contains("tags") ? "uid: $source.uid, tags: $source.tags" : "uid: $source.uid"
        let child = "{from: S, to: S, copyRest: false, set: {\(own)}}"
        try MapRun.with(
            "entities: [\(parent), \(child), \(tag)]",
            from: models[0],
            to: models[1],
            rows: rows
        ) { run in
            let isOwned = parent != Self.ownerless
            #expect(try run.losses().isEmpty == isOwned)
            let result = try run.result()
            let table = try #require(layouts[1].links("tags", of: "B")).table
            #expect(try result.texts("SELECT count(*) FROM \(table)") == ["2"])
            #expect(try result.texts("SELECT count(ZOWNER) FROM ZB") == [isOwned ? "1" : "0"])
        }
    }
}
