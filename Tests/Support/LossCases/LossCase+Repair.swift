import ObjectModel

/// Damage that a repair removes or cannot restore, with its amount.
package struct RepairLossCase: Sendable, CustomStringConvertible {
    package var example: LossCase
    package var options: [String]
    package var cells: [(kind: LossKind, road: LossRoad)]

    package var description: String { example.title }

    package static let all: [RepairLossCase] = [
        RepairLossCase(
            "links of a to-one relationship lead to no object",
            ["UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK IN (2, 3)"],
            [
                "Book.author": """
                SELECT count(*) FROM ZBOOK WHERE ZAUTHOR NOT IN (SELECT Z_PK FROM ZAUTHOR)
                """
            ],
            options: ["--clear-links"],
            shows: .link
        ),
        RepairLossCase(
            "links of a join table lead to no object",
            ["INSERT INTO Z_2TAGS (Z_2BOOKS, Z_5TAGS) VALUES (99, 1), (4, 77)"],
            [
                "Book.tags": """
                SELECT count(*) FROM Z_2TAGS WHERE Z_2BOOKS NOT IN (SELECT Z_PK FROM ZBOOK) \
                OR Z_5TAGS NOT IN (SELECT Z_PK FROM ZTAG)
                """
            ],
            options: ["--clear-links"]
        ),
        RepairLossCase(
            "the table of an entity is missing",
            ["DROP TABLE ZTAG"],
            [
                "Book.tags": "SELECT count(*) FROM Z_2TAGS",
                "ZTAG": "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'",
            ],
            options: ["--allow-data-loss", "--clear-links"],
            shows: .object
        ),
        RepairLossCase(
            "only one column of a one-to-one relationship has the links",
            ["UPDATE ZBOOK SET ZCOVER = NULL WHERE Z_PK < 3"],
            [
                "Book.cover": """
                SELECT count(*) FROM ZCOVER AS c WHERE ZBOOK NOT NULL AND NOT EXISTS \
                (SELECT 1 FROM ZBOOK AS b WHERE b.Z_PK = c.ZBOOK AND b.ZCOVER = c.Z_PK)
                """
            ]
        ),
        RepairLossCase(
            "links of an ordered relationship have no order keys",
            ["UPDATE ZBOOK SET Z_FOK_AUTHOR = NULL"],
            [
                "Author.books": """
                SELECT count(*) FROM ZBOOK AS b WHERE EXISTS \
                (SELECT 1 FROM ZBOOK AS o WHERE o.ZAUTHOR = b.ZAUTHOR AND o.Z_PK <> b.Z_PK)
                """
            ],
            from: { LossCase.relationship(&$0, "Author", "books") { $0.isOrdered = true } },
            shows: .order
        ),
        RepairLossCase(
            "values are of another type",
            ["UPDATE ZBOOK SET ZWHOLE = 'many' WHERE Z_PK < 3"],
            ["Book.whole": "SELECT count(*) FROM ZBOOK WHERE typeof(ZWHOLE) = 'text'"],
            options: ["--clear-values", "Book.whole"],
            shows: .value
        ),
        RepairLossCase(
            "the column of an attribute is missing",
            ["ALTER TABLE ZTAG DROP COLUMN ZWORD"],
            ["Tag.word": "SELECT count(*) FROM ZTAG"]
        ),
    ]

    private init(
        _ title: String,
        _ damage: [String],
        _ lost: [String: String],
        options: [String] = [],
        from prepare: (inout ManagedObjectModel) -> Void = { _ in },
        shows kind: LossKind? = nil
    ) {
        example = LossCase(title, rows: LossCase.library + damage, lost, from: prepare) { _ in }
        self.options = options
        cells = kind.map { [($0, .repair)] } ?? []
    }
}
