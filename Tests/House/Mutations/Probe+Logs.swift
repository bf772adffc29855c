/// Probes of what `momtool doctor` makes of logs and of files.
extension Probe {
    static let logs = [codes, hashes, files, healthyStore]

    /// Codes of Core Data and SQLite, and messages that say the same twice.
    private static let codes = Probe(
        "logs-are-read-for-codes",
        files: [
            "german.log": "Fehler 134110\n", "twice.log": "NSCocoaErrorDomain Code=134081\n",
            "sqlite.log": "error: NSSQLiteErrorDomain=1555\n",
            "rows.log": """
            missing attribute values on mandatory destination attribute
            missing attribute values on mandatory destination attribute entity=Cat, attribute=name
            """,
        ],
        [
            Run("doctor german.log", status: 1, says: ["134110 NSMigrationError"]),
            Run("doctor twice.log", status: 1, says: ["one file is added twice to a coordinator"]),
            Run(
                "doctor sqlite.log",
                status: 1,
                says: ["SQLite error 1555: a constraint is broken"]
            ),
            Run(
                "doctor rows.log",
                status: 1,
                says: ["line 2: no value for Cat.name"],
                omits: ["line 1:"]
            ),
        ]
    )

    /// Hashes of two versions, of which one entity is the same in both.
    private static let hashes: Probe = {
        func version(_ attributes: String) -> String {
            model("<entity name='Base'/><entity name='Sub'>\(attributes)</entity>")
        }
        func logged(_ dictionary: String, _ entities: KeyValuePairs<String, String>) -> String {
            "\(dictionary) = {\n"
                + entities.map { "\($0) = {length = 32, bytes = 0x\($1) };\n" }.joined() + "};\n"
        }
        // As logs print them: the first and the last bytes.
        let base = "f197077a 76479357 ... 6b362faa"
        let (first, second) = ("455fe45d 99bd66b7 ... 9ea24f5e", "df0bf700 177fa522 ... 1add9775")
        let strange = "455fe45d 99bd66b7 ... 00000000"
        let (store, loaded) = ("NSStoreModelVersionHashes", "entityVersionHashesByName")
        let argument = "--model M.xcdatamodeld"
        return Probe(
            "logs-are-read-for-hashes",
            files: [
                "both.log": logged(store, ["Base": base, "Sub": first])
                    + logged(loaded, ["Base": base, "Sub": second]),
                "part.log": "NSCocoaErrorDomain Code=134100\n" + logged(store, ["Base": base]),
                "strange.log": logged(store, ["Base": base, "Sub": strange]),
            ].merging(bundle("M", ["V1": version(text("a")), "V2": version(text("b"))])) { $1 },
            [
                Run(
                    "doctor both.log \(argument)",
                    status: 1,
                    says: ["V1, by the parts of the hashes that are shown"],
                    omits: ["V2, by"]
                ),
                Run("doctor part.log \(argument)", status: 1, says: ["  V1, by 1 of 2 entities"]),
                Run(
                    "doctor strange.log \(argument)",
                    status: 1,
                    says: ["no version of the model", "Sub: not the same"]
                ),
            ]
        )
    }()

    /// Files that are cut off, and files whose first bytes are lost.
    private static let files: Probe = {
        func zeros(_ count: Int) -> String { String(repeating: "\0", count: count) }
        // Pages of 4096 bytes, of which there are to be nine.
        let header = "SQLite format 3\0\u{10}\0" + zeros(10) + "\0\0\0\u{9}"
        return Probe(
            "doctor-says-what-became-of-a-file",
            files: [
                "cut.sqlite": header + zeros(4096 - 32)
            ],
            [
                Run(
                    "doctor cut.sqlite",
                    status: 1,
                    says: ["the file is cut off: 4096 of 36864 bytes are there"]
                )
            ]
        )
    }()

    /// A store that is read by the model in it, before and after it was damaged.
    private static let healthyStore = zoo(
        "doctor-reads-a-store-by-its-own-model",
        [
            Run("doctor S.sqlite", says: ["the model in the store"]),
            Run(sql: "UPDATE ZITEM SET ZBOX = 9 WHERE Z_PK = 2", on: "S.sqlite"),
            Run(
                "doctor S.sqlite",
                status: 1,
                says: [
                    "[dangling-reference]", "see every row that is wrong",
                    "as not all of it can be repaired: 1 link of",
                ]
            ),
        ]
    )
}
