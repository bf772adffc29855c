import Diagnostics
import Foundation
import ModelCompiling
import ModelLoading
import ObjectModel
import PropertyLists
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreFormat

struct SpecialIndexTests {
    /// An entity with an index, with SQL as in real stores (SQLiteStores, "Partial, spatial and expression indexes").
    private func model(_ indexes: FetchIndex...) -> ManagedObjectModel {
        let attributes =
            ["sort", "state"].map { Attribute($0, .integer16) }
            + ["latitude", "longitude"].map { Attribute($0, .double) }
            + [Attribute("title", .string)]
        let owner = Relationship.one("owner", "Asset")
        return ManagedObjectModel([
            Entity("Asset", attributes, relationships: [owner], fetchIndexes: indexes)
        ])
    }

    private func partial(_ predicate: String) -> FetchIndex {
        FetchIndex(
            name: "by",
            elements: [.init(.property("sort"))],
            partialIndexPredicate: predicate
        )
    }

    @Test(arguments: [
        ("title != nil", "ZTITLE IS NOT NULL"),
        ("title == nil", "ZTITLE IS NULL"),
        ("owner != nil", "ZOWNER IS NOT NULL"),
        ("state == 1", "ZSTATE = 1"),
        ("state == YES", "ZSTATE = 1"),
        ("state != 4", "ZSTATE <> 4"),
        ("state > 1", "ZSTATE > 1"),
        ("state == 2 OR state == -4", "(ZSTATE = 2 OR ZSTATE = -4)"),
        (
            "title == nil AND sort == 0 AND (state != 0 OR sort == 0)",
            "(ZTITLE IS NULL AND ZSORT = 0 AND (ZSTATE <> 0 OR ZSORT = 0))"
        ),
    ])
    func `a partial index has its predicate in SQL`(predicate: String, condition: String) {
        let layout = StoreLayout(model: model(partial(predicate)))
        #expect(layout.unknownIndexes == [])
        #expect(
            layout.indexes.map(\.sql).last
                == "CREATE INDEX Z_Asset_by ON ZASSET (ZSORT COLLATE BINARY ASC) WHERE \(condition)"
        )
    }

    @Test(arguments: [
        "title BEGINSWITH 'a'", "owner.title == nil", "NOT state == 1", "unknown == 1",
        "title ==[c] nil", "ANY owner.sort == 1", "state ==",
    ])
    func `a predicate of a form that no real index shows is left out and named`(predicate: String) {
        let layout = StoreLayout(model: model(partial(predicate)))
        #expect(layout.unknownIndexes.map(\.name) == ["by"])
        #expect(!layout.indexes.contains { $0.name == "Z_Asset_by" })
    }

    @Test func `the key and the entity's number are elements of an index`() {
        let index = FetchIndex(
            name: "by",
            elements: [
                .init(.expression("entity", type: nil)),
                .init(.property("sort"), isAscending: false),
                .init(.expression("SELF", type: "ObjectID")),
            ]
        )
        #expect(
            StoreLayout(model: model(index)).indexes.map(\.sql).last
                == "CREATE INDEX Z_Asset_by ON ZASSET (Z_ENT COLLATE BINARY ASC, "
                + "ZSORT COLLATE BINARY DESC, Z_PK COLLATE BINARY ASC)"
        )
    }

    private var spatial: FetchIndex {
        FetchIndex(
            name: "boundedByRect",
            elements: ["latitude", "longitude"].map { .init(.property($0), collation: .rTree) }
        )
    }

    @Test func `a spatial index is a virtual table with three triggers`() throws {
        let index = try #require(StoreLayout(model: model(spatial)).spatialIndexes.first)
        let list =
            "(Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, ZLONGITUDE_MIN, ZLONGITUDE_MAX) VALUES (NEW.Z_PK, "
            + "NEW.ZLATITUDE ,NEW.ZLATITUDE, NEW.ZLONGITUDE, NEW.ZLONGITUDE) ; END"
        let name = "Z_RT_Asset_boundedByRect"
        #expect(
            [index.createSQL] + index.triggers.map(\.sql) == [
                "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, "
                    + "ZLATITUDE_MIN FLOAT, ZLATITUDE_MAX FLOAT, "
                    + "ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)",
                "CREATE TRIGGER \(name)_INSERT AFTER INSERT ON ZASSET FOR EACH ROW BEGIN "
                    + "INSERT OR REPLACE INTO \(name) \(list)",
                "CREATE TRIGGER \(name)_UPDATE AFTER UPDATE ON ZASSET FOR EACH ROW BEGIN "
                    + "DELETE FROM \(name) WHERE Z_PK = NEW.Z_PK ; INSERT INTO \(name) \(list)",
                "CREATE TRIGGER \(name)_DELETE AFTER DELETE ON ZASSET FOR EACH ROW BEGIN "
                    + "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK ; END",
            ]
        )
    }

    @Test func `a created store keeps its spatial index`() throws {
        let model = model(spatial, partial("title != nil"))
        try withFolder { folder in
            let path = folder.path + "/a.sqlite"
            try createStore(at: path, model: model) { connection, _ throws(StoreError) in
                try connection.execute(
                    "INSERT INTO ZASSET (Z_PK, Z_ENT, Z_OPT, ZLATITUDE, ZLONGITUDE) "
                        + "VALUES (1, 1, 1, 48, 11), (2, 1, 1, 52, 13), (3, 1, 1, NULL, NULL)"
                )
                try connection.execute("UPDATE ZASSET SET ZLATITUDE = 50 WHERE Z_PK = 2")
                try connection.execute("DELETE FROM ZASSET WHERE Z_PK = 3")
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 3")
            }
            let file = try StoreFile(path: path)
            let found = try file.connection.rows(
                "SELECT Z_PK FROM Z_RT_Asset_boundedByRect WHERE ZLATITUDE_MIN <= 51 "
                    + "AND ZLATITUDE_MAX >= 49"
            )
            #expect(found == [[.integer(2)]])
            let count = try file.connection.value("SELECT COUNT(*) FROM Z_RT_Asset_boundedByRect")
            #expect(count == .integer(2))
            #expect(try verify(file, against: model).map(\.description) == [])
        }
    }

    @Test func `of two indexes of one name one is made`() {
        let indexes = ["sort", "state"].map {
            FetchIndex(name: "by", elements: [.init(.property($0)), .init(.property("title"))])
        }
        let names = StoreLayout(model: model(indexes[0], indexes[1])).indexes.map(\.name)
        #expect(names == ["ZASSET_ZOWNER_INDEX", "Z_Asset_by"])
    }

    @Test func `special indexes come back from their archive and their source`() throws {
        let mixed = FetchIndex(
            name: "mixed",
            elements: [
                .init(.expression("entity", type: nil)),
                .init(.expression("SELF", type: "ObjectID")),
                .init(.property("sort"), isAscending: false),
            ],
            partialIndexPredicate: "title != nil AND state == 1"
        )
        let model = model(mixed, spatial)
        let archive = compileModel(model)
        #expect(archive.diagnostics.map(\.description) == [])
        let read = readCompiledModel(archive.value.binaryData, path: "A.mom")
        #expect(read.diagnostics.map(\.description) == [])
        let source = readModel(contents: Data(modelContents(of: read.value).value.utf8), path: "c")
        #expect(source.diagnostics.map(\.description) == [])
        for copy in [read.value, source.value] {
            let indexes = copy.entities[0].fetchIndexes
            #expect(indexes.map(\.name) == ["mixed", "boundedByRect"])
            #expect(indexes.map(\.elements) == [mixed.elements, spatial.elements])
            #expect(indexes[0].partialIndexPredicate == mixed.partialIndexPredicate)
        }
    }

    @Test func `nil in an archived predicate is a constant of no class`() throws {
        let archive = compileModel(model(partial("title != nil"))).value
        let constants = archive.objects.compactMap { object in
            if case .instance(let object) = object,
                object.className == "NSConstantValueExpression"
            {
                object
            } else {
                nil
            }
        }
        #expect(constants.count == 1)
        #expect(constants.first?.values["NSConstantValueClassName"] == .reference(.null))
        #expect(constants.first?.values["NSConstantValue"] == nil)
    }
}
