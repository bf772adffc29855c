import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// The command that helps against each kind of damage that a store had before its migration.
struct DamageRemedyTests {
    enum Remedy: Equatable {
        case nothing
        case repair([Advice])
        case verify
        case statement
    }

    private static let model: ManagedObjectModel = {
        var model = modelOf(
            "Item: name order>Order.items owner>Order.owned!; Gift/Item:",
            "Order: code! count:integer16 items>>>Item.order owned>>Item.owner best>Item "
                + "pair>Tag.order tags>>Tag.orders",
            "Tag: order>Order.pair orders>>Order.tags; Shelf: books>>Book.shelf; Book: shelf>Shelf.books"
        )
        model.entities[2].attributes.append(ExternalFile.attribute("photo"))
        model.entities[2].uniquenessConstraints = [UniquenessConstraint(properties: ["code"])]
        let derivation = Attribute.Derivation(expression: "books.@count")
        model.entities[4].attributes.append(Attribute("sum", .integer64, derivation: derivation))
        return model
    }()

    private static let rows =
        inserts("Order", "ZCODE", "'a'; 'b'") + inserts("Tag", "ZORDER", "NULL; NULL")
        + inserts("Item", "ZORDER, Z_FOK_ORDER, ZOWNER", "1, 512, 1; 1, 1024, 1")

    typealias Case = (sql: [String], rule: RuleID, remedy: Remedy)

    private static let cases: [Case] = [
        (["UPDATE ZITEM SET Z_FOK_ORDER = NULL"], .orderKey, .repair([])),
        (["UPDATE ZITEM SET Z_FOK_ORDER = 512"], .orderKey, .repair([])),
        (["UPDATE ZORDER SET ZBEST = 1, Z2_BEST = 77"], "wrong-entity-column", .repair([])),
        (["UPDATE Z_PRIMARYKEY SET Z_MAX = 1"], "key-above-maximum", .repair([])),
        (["UPDATE Z_METADATA SET Z_UUID = ''"], "missing-uuid", .repair([])),
        (["DROP INDEX Z_Order_UNIQUE_code"], .missingIndex, .repair([])),
        (
            ["DROP TRIGGER Z_DA_ZBOOK_Shelf_sum_PARAMETER_DELETE"], .missingTrigger, .repair([])
        ),
        (
            [
                "ALTER TABLE Z_4TAGS RENAME TO old", "CREATE TABLE Z_4TAGS AS SELECT * FROM old",
                "DROP TABLE old",
            ], .missingPrimaryKey, .repair([])
        ),
        (
            ["UPDATE Z_PRIMARYKEY SET Z_ENT = 99 WHERE Z_NAME = 'Tag'"], .entityNumbers,
            .repair([])
        ),
        (["UPDATE ZITEM SET ZORDER = 9"], .danglingReference, .repair([.clearLinks])),
        (["UPDATE ZITEM SET ZORDER = 'x'"], .wrongType, .repair([.clearLinks])),
        (["UPDATE ZITEM SET ZOWNER = 9"], .danglingReference, .nothing),
        // What else is repaired then needs the same decision.
        (["UPDATE ZITEM SET ZORDER = 9"], "key-above-maximum", .repair([.clearLinks])),
        (["UPDATE ZORDER SET ZPAIR = 1"], "broken-inverse-pair", .repair([])),
        (
            ["UPDATE ZORDER SET ZCODE = NULL"], .missingValue,
            .repair([.nameValue(of: "Order.code")])
        ),
        (
            ["UPDATE ZORDER SET ZCOUNT = 'x'"], .wrongType,
            .repair([.nameValue(of: "Order.count")])
        ),
        (["UPDATE ZITEM SET ZOWNER = NULL"], .missingDestination, .nothing),
        (["UPDATE ZITEM SET Z_ENT = 77 WHERE Z_PK = 1"], .foreignEntityNumber, .statement),
        (["UPDATE ZTAG SET Z_ENT = 77"], .foreignEntityNumber, .repair([])),
        (
            ["DROP INDEX Z_Order_UNIQUE_code", "UPDATE ZORDER SET ZCODE = 'a'"], .duplicateValue,
            .verify
        ),
        (
            ["UPDATE ZORDER SET ZPHOTO = \(ExternalFile.markerSQL) WHERE Z_PK = 1"],
            .missingExternalFile, .nothing
        ),
        (
            ["UPDATE ZORDER SET ZPHOTO = \(ExternalFile.markerSQL)"], "shared-external-file",
            .nothing
        ),
        (["DELETE FROM ZITEM", "DELETE FROM ZORDER", "DELETE FROM ZTAG"], .noRows, .nothing),
    ]

    @Test(arguments: cases) func `each kind of damage has its remedy`(_ given: Case) throws {
        var new = Self.model
        new.entities[3].attributes.append(Attribute("extra", .string))
        try withStore(Self.model, Self.rows) { store in
            try store.execute(given.sql)
            let damage = try store.migration(to: new).damage(in: store.file(), searchingAll: true)
            let found = damage.filter { $0.finding.rule == given.rule }
            #expect(!found.isEmpty, "\(damage)")
            for one in found {
                #expect(Self.remedy(by: one.command) == given.remedy, "\(one)")
                #expect(!one.remedy.isEmpty)
            }
        }
    }

    private static func remedy(by command: Hint?) -> Remedy? {
        switch command {
        case nil: .nothing
        case .repairing(_, _, let advice): .repair(advice)
        case .verifying: .verify
        case .statement: .statement
        default: nil
        }
    }
}
