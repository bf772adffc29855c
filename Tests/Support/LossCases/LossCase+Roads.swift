import ObjectModel

/// Whose work loses something.
package enum LossRoad: String, Sendable, CaseIterable {
    case map, program
    case mappingModel = "mapping model"
    case merge, repair
}

/// What is lost by each of them alike.
package enum LossKind: String, Sendable, CaseIterable {
    case link = "a link, where there is room for another"
    case order = "the order of links"
    case value = "a value"
    case file = "a value whose file is missing"
    case object = "an object"
}

extension StagedLossCase {
    static let roadCases = [
        StagedLossCase(
            example: LossCase(
                "program: an object gets the link of another one",
                ["Book.cover": "ZBOOK WHERE ZCOVER = 1"]
            ) { add(text("city"), to: "Author", &$0) },
            work: .program(#"{"@id": "Novel/p4", "cover": "Cover/p1"}"#),
            cells: [(.link, .program)]
        ),
        StagedLossCase(
            example: LossCase(
                "program: a to-many takes objects from another one",
                ["Author.books": "ZBOOK WHERE ZAUTHOR = 1"]
            ) { add(text("city"), to: "Author", &$0) },
            work: .program(#"{"@id": "Author/p3", "books": ["Book/p1", "Book/p2"]}"#)
        ),
        StagedLossCase(
            example: LossCase(
                "program: it deletes objects",
                ["Author": "ZAUTHOR WHERE Z_PK > 1"]
            ) { add(text("city"), to: "Author", &$0) },
            work: .program(#"{"@delete": "Author/p2"}"# + "\n" + #"{"@delete": "Author/p3"}"#),
            cells: [(.object, .program)]
        ),
        StagedLossCase(
            example: LossCase(
                "program: values go with the attribute that it does not read",
                ["Cover.color": "SELECT count(ZCOLOR) FROM ZCOVER"]
            ) { LossCase.remove(["color"], &$0) },
            work: .program(#"{"@id": "Author/p1", "name": "b"}"#),
            cells: [(.value, .program)]
        ),
        StagedLossCase(
            example: disordered("program: an order goes that it does not read"),
            work: .program(#"{"@id": "Author/p1", "name": "b"}"#),
            cells: [(.order, .program)]
        ),
        StagedLossCase(
            example: withoutFile("program: a file is missing"),
            work: .program(#"{"@id": "Author/p1", "name": "b"}"#),
            cells: [(.file, .program)]
        ),
        StagedLossCase(
            example: LossCase(
                "mapping model: one-to-many becomes one-to-one",
                ["Author.books": "SELECT count(ZAUTHOR) - count(DISTINCT ZAUTHOR) FROM ZBOOK"]
            ) {
                LossCase.relationship(&$0, "Author", "books") {
                    ($0.isToMany, $0.maxCount) = (false, 1)
                }
            },
            work: .mappingModel(copying(LossCase.model, leavingOut: nil)),
            cells: [(.link, .mappingModel)]
        ),
        StagedLossCase(
            example: disordered("mapping model: an order goes"),
            work: .mappingModel(copying(LossCase.model, leavingOut: nil)),
            cells: [(.order, .mappingModel)]
        ),
        StagedLossCase(
            example: LossCase(
                "mapping model: nothing takes an entity",
                ["Author": "ZAUTHOR", "Book.author": "ZBOOK WHERE ZAUTHOR NOT NULL"]
            ) { add(text("city"), to: "Author", &$0) },
            work: .mappingModel(copying(LossCase.model, leavingOut: "Author")),
            cells: [(.object, .mappingModel)]
        ),
        StagedLossCase(
            example: disordered("map: an order goes"),
            work: .map("entities: [{from: Author, to: Author, set: {books: $source.books}}]"),
            cells: [(.order, .map)]
        ),
        StagedLossCase(
            example: LossCase(
                "map: findOrCreate makes one object of all",
                rows: ordered,
                [
                    "Author": "SELECT count(*) - 1 FROM ZAUTHOR",
                    "Author.name": "SELECT count(ZNAME) FROM ZAUTHOR WHERE ZNAME <> 'a'",
                    "Author.books": "ZBOOK WHERE ZAUTHOR NOT NULL",
                ],
                from: { LossCase.relationship(&$0, "Author", "books") { $0.isOrdered = true } },
                { add(text("city"), to: "Author", &$0) }
            ),
            work: .map(
                """
                entities: [{from: Author, to: Author, findOrCreate: city, set: {city: "'x'"}}]
                """
            ),
            cells: [(.order, .merge), (.value, .merge), (.object, .merge)]
        ),
        StagedLossCase(
            example: withoutFile("map: a file is missing"),
            work: .map("entities: [{from: Cover, to: Cover, set: {photo: $source.photo}}]"),
            cells: [(.file, .map)]
        ),
        StagedLossCase(
            example: withoutFile(
                "map: findOrCreate, and a file is missing",
                [
                    "Cover": "ZCOVER WHERE ZCOLOR IS NULL",
                    "Book.cover": "ZCOVER WHERE ZCOLOR IS NULL AND ZBOOK NOT NULL",
                ]
            ),
            work: .map(
                "entities: [{from: Cover, to: Cover, findOrCreate: color, set: {photo: $source.photo}}]"
            ),
            cells: [(.file, .merge)]
        ),
        StagedLossCase(
            example: withoutFile("mapping model: a file is missing"),
            work: .mappingModel(copying(photographed, leavingOut: nil)),
            cells: [(.file, .mappingModel)]
        ),
    ]

    private static let ordered =
        LossCase.library + ["UPDATE ZBOOK SET Z_FOK_AUTHOR = Z_PK * 1024 WHERE ZAUTHOR NOT NULL"]

    private static func disordered(_ title: String) -> LossCase {
        LossCase(
            title,
            rows: ordered,
            ["Author.books": "ZBOOK WHERE ZAUTHOR = 1"],
            from: { LossCase.relationship(&$0, "Author", "books") { $0.isOrdered = true } },
            { LossCase.relationship(&$0, "Author", "books") { $0.isOrdered = false } }
        )
    }

    private static let photographed: ManagedObjectModel = {
        var model = LossCase.model
        photograph(&model)
        return model
    }()

    private static func photograph(_ model: inout ManagedObjectModel) {
        let photo = Attribute(name: "photo", type: .binary, allowsExternalBinaryDataStorage: true)
        add(photo, to: "Cover", &model)
    }

    private static func withoutFile(_ title: String, _ more: [String: String] = [:]) -> LossCase {
        let name = "4E6B2C1A-0000-4000-8000-000000000001"
        return LossCase(
            title,
            rows: LossCase.library + [
                "UPDATE ZCOVER SET ZPHOTO = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK = 1"
            ],
            more.merging(["Cover.photo": "SELECT count(ZPHOTO) FROM ZCOVER"]) { $1 },
            from: photograph,
            { model in
                LossCase.attribute(&model, "Cover", "photo") {
                    $0.allowsExternalBinaryDataStorage = false
                }
            }
        )
    }
}
