/// Probes of how entities, composites and history are laid out, which cases of rows do not show.
extension Probe {
    static let layouts = [numbers, composites, tombstones]

    /// Roots by name regardless of case, each followed by what is below it.
    private static let numbers = Probe(
        "entities-are-numbered-by-hierarchy",
        files: [
            "M.xcdatamodel/contents": model(
                """
                <entity name='Zeta'/><entity name='alpha'/><entity name='Beta'/>
                <entity name='Sub2' parentEntity='alpha'/><entity name='Sub1' parentEntity='alpha'/>
                <entity name='Leaf' parentEntity='Sub1'/>
                """
            )
        ],
        [
            Run("create S.sqlite --model M.xcdatamodel"),
            Run(
                sql: "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT",
                on: "S.sqlite",
                says: ["1|alpha|0\n2|Sub1|1\n3|Leaf|2\n4|Sub2|1\n5|Beta|0\n6|Zeta|0"]
            ),
        ]
    )

    /// A composite whose elements stand in two orders; a value of it may be absent, with what it requires.
    private static let composites: Probe = {
        func version(_ elements: String...) -> String {
            model(
                "<entity name='A'><attribute name='home' optional='YES' attributeType='Composite' "
                    + "composite='Place'/></entity><composite name='Place'>"
                    + elements.joined() + "</composite>"
            )
        }
        let (zip, city) = (
            "<attribute name='zip' attributeType='String'/>",
            "<attribute name='city' optional='YES' attributeType='String'/>"
        )
        return Probe(
            "composites-are-kept-by-their-elements",
            files: [
                "M.xcdatamodel/contents": version(zip, city),
                "N.xcdatamodel/contents": version(city, zip),
                "rows.json":
                    #"{"A": [{"@id": "p1", "home": {"city": "Rom", "zip": "1"}}, {"@id": "p2"}]}"#,
            ],
            [
                Run("create S.sqlite --model M.xcdatamodel --rows rows.json"),
                Run(
                    sql: "SELECT group_concat(name) FROM pragma_table_info('ZA')",
                    on: "S.sqlite",
                    says: ["Z_PK,Z_ENT,Z_OPT,ZZIP,ZCITY"]
                ),
                Run("verify S.sqlite", says: ["nothing found"]),
                Run("identify S.sqlite --model N.xcdatamodel"),
            ]
        )
    }()

    /// What an entity keeps of its deleted objects, with what it inherits, has columns in the history.
    private static let tombstones: Probe = {
        func kept(_ name: String) -> String {
            "<attribute name='\(name)' optional='YES' attributeType='String' "
                + "preservesValueInHistoryOnDeletion='YES'/>"
        }
        func version(_ names: String...) -> String {
            model(
                "<entity name='Base'>\(kept("a"))</entity><entity name='Sub' parentEntity='Base'>"
                    + names.map(kept).joined() + "</entity>"
            )
        }
        func last(in store: String, is column: String) -> Run {
            Run(
                sql: "SELECT name FROM pragma_table_info('ACHANGE') ORDER BY cid DESC LIMIT 1",
                on: store,
                says: [column]
            )
        }
        return Probe(
            "history-has-columns-for-what-it-keeps",
            files: [
                "M.xcdatamodeld/V1.xcdatamodel/contents": version("b"),
                "M.xcdatamodeld/V2.xcdatamodel/contents": version("b", "c"),
            ],
            [
                Run("create S.sqlite --model M.xcdatamodeld#V1 --history"),
                last(in: "S.sqlite", is: "ZTOMBSTONE1"),
                Run("migrate S.sqlite --model M.xcdatamodeld#V2 -o N.sqlite"),
                last(in: "N.sqlite", is: "ZTOMBSTONE2"),
                Run(sql: "ALTER TABLE ACHANGE DROP COLUMN ZTOMBSTONE2", on: "N.sqlite"),
                Run("repair N.sqlite", status: 1, says: ["add ZTOMBSTONE2 to ACHANGE"]),
            ]
        )
    }()
}
