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
}
