import Foundation
import Momtool
import SQLiteAccess
import TestSupport
import Testing

struct RepairAdviceTests {
    private static let source = """
        <model><entity name="Order" representedClassName="Order">
        <attribute name="code" attributeType="String"/>
        <attribute name="pages" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
        <relationship name="items" optional="YES" toMany="YES" deletionRule="Cascade"
            destinationEntity="Item" inverseName="order" inverseEntity="Item"/></entity>
        <entity name="Item" representedClassName="Item">
        <relationship name="order" optional="YES" maxCount="1" deletionRule="Nullify"
            destinationEntity="Order" inverseName="items" inverseEntity="Order"/></entity></model>
        """

    private func withStore(_ sql: String..., body: (URL, Doctor, String) throws -> Void) throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let newer = Self.source.replacing("code", with: "number")
            try writeBundle([Self.source, newer], at: bundle)
            let rows = folder.appending(path: "Rows.json")
            let text = """
                {"Order": [{"@id": "p1", "code": "A", "pages": 7}], "Item": [{"@id": "p1", "order": "Order/p1"}]}
                """
            try Data(text.utf8).write(to: rows)
            let model = try Model(bundle.path)
            let path = folder.appending(path: "Shop.sqlite").path
            try Store.create(path, of: model, version: "V1", rows: .file(rows.path))
            try execute(sql, at: path)
            try body(folder, Doctor(model), path)
        }
    }

    private func execute(_ statements: [String], at path: String) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        for statement in statements { try connection.execute(statement) }
    }

    /// Examines a store, and repairs it as advised, with what only a person can know.
    private func cure(
        _ path: String,
        by doctor: Doctor,
        in folder: URL,
        knowing decisions: [Advice] = [],
        expecting expected: [Advice]
    ) throws {
        let advice = try #require(try doctor.examine(path).remedies.compactMap(\.repair).first)
        #expect(advice == expected)
        let output = folder.appending(path: "Repaired.sqlite").path
        if !expected.isEmpty {
            let error = #expect(throws: MomtoolError.self) { try doctor.repair(path, to: output) }
            #expect(error?.kind == .refused)
            #expect(Set(error?.advice ?? []) == Set(expected))
            for advice in expected {
                #expect(error?.description.contains(advice.description) == true)
            }
            #expect(!FileManager.default.fileExists(atPath: output))
        }
        let repair = try doctor.repair(path, to: output, following: advice + decisions)
        #expect(!repair.steps.isEmpty && repair.remaining.isEmpty)
        #expect(try Store(output).verify(against: doctor.model).isEmpty)
    }

    @Test func `links that lead nowhere are removed`() throws {
        try withStore("UPDATE ZITEM SET ZORDER = 9") { folder, doctor, path in
            try cure(path, by: doctor, in: folder, expecting: [.clearLinks])
        }
    }

    @Test func `a value that is missing is asked for, and set`() throws {
        try withStore("UPDATE ZORDER SET ZCODE = NULL") { folder, doctor, path in
            try cure(
                path,
                by: doctor,
                in: folder,
                knowing: [.setValue(of: "Order.code", to: "none")],
                expecting: [.nameValue(of: "Order.code")]
            )
        }
    }

    @Test func `a value of another type is converted`() throws {
        try withStore("UPDATE ZORDER SET ZPAGES = CAST('7' AS BLOB)") { _, doctor, path in
            let error = #expect(throws: MomtoolError.self) {
                try doctor.repairInPlace(path, backup: nil)
            }
            #expect(error?.advice == [.clearValues(of: "Order.pages")])
        }
        try withStore("UPDATE ZORDER SET ZPAGES = 7.0", "UPDATE ZORDER SET ZPAGES = '7x'") {
            folder,
            doctor,
            path in
            try cure(path, by: doctor, in: folder, expecting: [.clearValues(of: "Order.pages")])
        }
        let text = "UPDATE ZORDER SET ZCODE = 12.5"
        try withStore(
            "ALTER TABLE ZORDER RENAME COLUMN ZCODE TO ZOLD",
            "ALTER TABLE ZORDER ADD COLUMN ZCODE",
            text,
            "ALTER TABLE ZORDER DROP COLUMN ZOLD"
        ) { folder, doctor, path in
            try cure(path, by: doctor, in: folder, expecting: [.convertValues])
        }
    }

    @Test func `a lost table is created empty`() throws {
        try withStore("DROP TABLE ZITEM") { folder, doctor, path in
            try cure(path, by: doctor, in: folder, expecting: [.createEmptyTables])
        }
    }

    @Test(arguments: ["DELETE FROM Z_METADATA", "DROP TABLE Z_METADATA"])
    func `a store without metadata gets them of the version that fits`(sql: String) throws {
        try withStore(sql, "DELETE FROM Z_MODELCACHE") { folder, doctor, path in
            #expect(throws: MomtoolError.self) { try Store(path) }
            try cure(path, by: doctor, in: folder, expecting: [.takeVersion("V1")])
        }
    }

    @Test func `objects without an owner, files and free pages go where that is said`() throws {
        try withStore("UPDATE ZITEM SET ZORDER = NULL") { folder, doctor, path in
            let backup = folder.appending(path: "Backup.sqlite").path
            let repair = try doctor.repairInPlace(
                path,
                backup: backup,
                following: [.dropOwnerless("Item"), .removeFiles, .compact]
            )
            #expect(!repair.steps.isEmpty)
            #expect(
                try Rows(of: Store(path), model: doctor.model, entities: ["Item"]).all().isEmpty
            )
            #expect(FileManager.default.fileExists(atPath: backup))
        }
    }

    @Test func `what upkeep alone changes has its backup, and never the store for it`() throws {
        try withStore("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX") { folder, doctor, path in
            let backup = folder.appending(path: "Backup.sqlite").path
            let error = #expect(throws: MomtoolError.self) {
                try doctor.repairInPlace(path, backup: path, following: [.compact])
            }
            #expect(error?.kind == .cannotCreate)
            let repair = try doctor.repairInPlace(path, backup: backup, following: [.compact])
            #expect(repair.steps.isEmpty)
            #expect(FileManager.default.fileExists(atPath: backup))
        }
    }

    @Test func `changes of no transaction go with old history`() throws {
        let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
        #expect(throws: MomtoolError.self) {
            try Doctor().repair(
                fixture,
                to: "Nowhere.sqlite",
                following: [.pruneHistory(olderThanDays: -1)]
            )
        }
        try withStore { folder, doctor, path in
            let output = folder.appending(path: "New.sqlite").path
            let advice: [Advice] = [.pruneHistory(olderThanDays: 30)]
            let repair = try doctor.repair(path, to: output, following: advice)
            #expect(repair.steps.isEmpty && repair.remaining.isEmpty)
        }
    }

    @Test(
        arguments: [
            Advice.setValue(of: "Order.cod", to: "x"), .clearValues(of: "Order.code"),
            .setValue(of: "Order.pages", to: "many"),
            .dropOwnerless("Itme"), .takeVersion("V9"),
        ]
    )
    func `a decision about what is not there is refused`(advice: Advice) throws {
        try withStore { folder, doctor, path in
            let output = folder.appending(path: "New.sqlite").path
            #expect(throws: MomtoolError.self) {
                try doctor.repair(path, to: output, following: [advice])
            }
            #expect(!FileManager.default.fileExists(atPath: output))
        }
    }

    @Test func `a repair in the background is the same`() async throws {
        let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
        let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
        let found = try await inBackground { try Doctor(Model(model)).examine(store) }
        #expect(found.remedies.allSatisfy { !$0.description.isEmpty })
        #expect(found.remedies.contains { $0.migration != nil })
    }
}
