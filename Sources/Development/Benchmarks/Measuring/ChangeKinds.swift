/// A kind of change to a model, with the best statements that a person would write for it by hand.
struct ChangeKind: Sendable {
    var name: String
    /// What is different in the new version.
    var change: ShopModel.Change
    /// The statements, without the system tables whose new rows do not depend on the rows of entities.
    var sql: [String]
    /// The same with the commands of `sqlite-utils`; `$S` is the store.
    var utilities: [String]
    /// The same in a batch of Alembic, `b`, or outside of it, `op`; lines of Python.
    var batch: [String]
}

extension ChangeKind {
    /// Every kind that is measured, for a store of a shape.
    static func all(_ shape: StoreShape = .usual) -> [ChangeKind] {
        [
            addition, defaultValue, removal, renaming, renumbering(shape), hierarchy, cardinality,
            uniqueness, five,
        ]
    }

    private static let addition = ChangeKind(
        name: "add an optional attribute",
        change: .init { $0.person.append(.init("email")) },
        sql: ["ALTER TABLE ZPERSON ADD COLUMN ZEMAIL VARCHAR"],
        utilities: ["sqlite-utils add-column $S ZPERSON ZEMAIL text"],
        batch: ["b.add_column(sa.Column('ZEMAIL', sa.VARCHAR))"]
    )

    private static let defaultValue = ChangeKind(
        name: "add an attribute with a default",
        change: .init { $0.person.append(.score) },
        sql: [
            "ALTER TABLE ZPERSON ADD COLUMN ZSCORE INTEGER", "UPDATE ZPERSON SET ZSCORE = 7",
        ],
        utilities: [
            "sqlite-utils add-column $S ZPERSON ZSCORE integer",
            "sqlite-utils $S 'UPDATE ZPERSON SET ZSCORE = 7'",
        ],
        batch: [
            "b.add_column(sa.Column('ZSCORE', sa.INTEGER))",
            "after('UPDATE ZPERSON SET ZSCORE = 7')",
        ]
    )

    private static let removal = ChangeKind(
        name: "remove an attribute",
        change: .init { model in model.person.removeAll { $0.name == "note" } },
        sql: ["ALTER TABLE ZPERSON DROP COLUMN ZNOTE"],
        utilities: ["sqlite-utils transform $S ZPERSON --drop ZNOTE"],
        batch: ["b.drop_column('ZNOTE')"]
    )

    private static let renaming = ChangeKind(
        name: "rename an attribute",
        change: .init { $0.renameCity() },
        sql: ["ALTER TABLE ZPERSON RENAME COLUMN ZCITY TO ZTOWN"],
        utilities: ["sqlite-utils transform $S ZPERSON --rename ZCITY ZTOWN"],
        batch: ["b.alter_column('ZCITY', new_column_name='ZTOWN')"]
    )

    /// An entity that is the first in the alphabet moves the number of every other.
    private static func renumbering(_ shape: StoreShape) -> ChangeKind {
        let account =
            "CREATE TABLE ZACCOUNT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
            + "ZNAME VARCHAR )"
        let updates = [
            "UPDATE ZCOMPANY SET Z_ENT = Z_ENT + 1", "UPDATE ZPERSON SET Z_ENT = Z_ENT + 1",
        ]
        return ChangeKind(
            name: "renumber all entities",
            change: .init { $0.hasAccounts = true },
            sql: [
                account, "DROP INDEX ZPERSON_Z_ENT_INDEX", updates[0], updates[1],
                "CREATE INDEX ZPERSON_Z_ENT_INDEX ON ZPERSON (Z_ENT)",
                "UPDATE Z_PRIMARYKEY SET Z_ENT = -1 - Z_ENT, Z_SUPER = Z_SUPER + (Z_SUPER > 0)",
                "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT",
                "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Account', 0, 0)",
            ] + shape.renumbering,
            utilities: ([account] + updates).map { "sqlite-utils $S '\($0)'" },
            batch: ([account] + updates).map { "after('\($0)')" }
        )
    }

    private static let hierarchy = ChangeKind(
        name: "add to a sub-entity",
        change: .init { $0.student.append(.init("grade", "Integer 16")) },
        sql: ["ALTER TABLE ZPERSON ADD COLUMN ZGRADE INTEGER"],
        utilities: ["sqlite-utils add-column $S ZPERSON ZGRADE integer"],
        batch: ["b.add_column(sa.Column('ZGRADE', sa.INTEGER))"]
    )

    private static let cardinality: ChangeKind = {
        let create =
            "CREATE TABLE Z_1STAFF ( Z_1EMPLOYER INTEGER, Z_2STAFF INTEGER, "
            + "PRIMARY KEY (Z_1EMPLOYER, Z_2STAFF) )"
        let fill =
            "INSERT INTO Z_1STAFF SELECT ZEMPLOYER, Z_PK FROM ZPERSON "
            + "WHERE ZEMPLOYER IS NOT NULL ORDER BY 1, 2"
        let index = "CREATE INDEX Z_1STAFF_Z_2STAFF_INDEX ON Z_1STAFF (Z_2STAFF, Z_1EMPLOYER)"
        let drop = "DROP INDEX ZPERSON_ZEMPLOYER_INDEX"
        return ChangeKind(
            name: "to-one → many-to-many",
            change: .init { $0.hasManyEmployers = true },
            sql: [create, fill, drop, "ALTER TABLE ZPERSON DROP COLUMN ZEMPLOYER", index],
            utilities: [create, fill, drop, index].map { "sqlite-utils $S '\($0)'" }
                + ["sqlite-utils transform $S ZPERSON --drop ZEMPLOYER"],
            batch: [create, fill, drop, index].map { "op.execute('\($0)')" }
                + ["b.drop_column('ZEMPLOYER')"]
        )
    }()

    private static let uniqueness = ChangeKind(
        name: "add a uniqueness constraint",
        change: .init { $0.hasUniqueNames = true },
        sql: [
            "CREATE UNIQUE INDEX Z_Person_UNIQUE_name ON ZPERSON (ZNAME COLLATE BINARY ASC)"
        ],
        utilities: [
            "sqlite-utils create-index $S ZPERSON ZNAME --unique --name Z_Person_UNIQUE_name"
        ],
        batch: ["b.create_index('Z_Person_UNIQUE_name', ['ZNAME'], unique=True)"]
    )

    /// The place of the removed column serves the new one of its type: one pass over the rows does everything.
    private static let five = ChangeKind(
        name: "five changes at once",
        change: .init { model in
            model.person.removeAll { $0.name == "note" }
            model.renameCity()
            model.person += [.init("email"), .score]
            model.student.append(.init("grade", "Integer 16"))
        },
        sql: [
            "ALTER TABLE ZPERSON ADD COLUMN ZSCORE INTEGER",
            "UPDATE ZPERSON SET ZSCORE = 7, ZNOTE = NULL",
            "ALTER TABLE ZPERSON RENAME COLUMN ZNOTE TO ZEMAIL",
            "ALTER TABLE ZPERSON RENAME COLUMN ZCITY TO ZTOWN",
            "ALTER TABLE ZPERSON ADD COLUMN ZGRADE INTEGER",
        ],
        utilities: [
            "sqlite-utils transform $S ZPERSON --drop ZNOTE --rename ZCITY ZTOWN",
            "sqlite-utils add-column $S ZPERSON ZSCORE integer",
            "sqlite-utils add-column $S ZPERSON ZEMAIL text",
            "sqlite-utils add-column $S ZPERSON ZGRADE integer",
            "sqlite-utils $S 'UPDATE ZPERSON SET ZSCORE = 7'",
        ],
        batch: [
            "b.drop_column('ZNOTE')", "b.alter_column('ZCITY', new_column_name='ZTOWN')",
            "b.add_column(sa.Column('ZSCORE', sa.INTEGER))",
            "b.add_column(sa.Column('ZEMAIL', sa.VARCHAR))",
            "b.add_column(sa.Column('ZGRADE', sa.INTEGER))",
            "after('UPDATE ZPERSON SET ZSCORE = 7')",
        ]
    )
}
