import Foundation
import Momtool
import SQLiteAccess
import TestSupport
import Testing

struct DoctorTests {
    private static let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")

    private func withStore(_ sql: String? = nil, _ body: (URL, String) throws -> Void) throws {
        try withFolder { folder in
            let store = folder.appending(path: "Shop.sqlite")
            try copyFile(Self.fixture, to: store)
            if let sql { try SQLiteConnection(path: store.path, mode: .readWrite).execute(sql) }
            try body(folder, store.path)
        }
    }

    @Test func `the first remedies of a store that lacks a column are those that work`() throws {
        try withStore("ALTER TABLE ZAUTHOR DROP COLUMN ZBORN") { folder, path in
            let model = try Model(Self.library)
            let (doctor, migrator) = (Doctor(model), try Migrator(model))
            let found = try doctor.examine(path)
            #expect(found.opens == nil && !found.isHealthy)
            #expect(
                found.remedies.prefix(2).map(\.call) == [
                    "Doctor.repair(_:to:)", "Doctor.examine(_:)",
                ]
            )
            #expect(found.diagnostics.contains { $0.rule == "missing-column" })
            #expect(throws: MomtoolError.self) { try migrator.migration(of: Store(path)) }
            let repaired = folder.appending(path: "Repaired.sqlite").path
            #expect(try !doctor.repair(path, to: repaired).steps.isEmpty)
            let output = folder.appending(path: "New.sqlite").path
            try migrator.migrate(Store(repaired), to: output, following: [.allowAllLosses])
        }
    }

    @Test func `a store that needs a decision is not sent to a repair that refuses it`() throws {
        try withStore("ALTER TABLE ZBOOK DROP COLUMN ZTITLE") { folder, path in
            let doctor = Doctor(try Model(Self.library))
            let found = try doctor.examine(path)
            let output = folder.appending(path: "Repaired.sqlite").path
            let error = #expect(throws: MomtoolError.self) { try doctor.repair(path, to: output) }
            #expect(error?.diagnostics.first?.rule == "repair-needs-decision")
            let remedy = try #require(found.remedies.first)
            #expect(remedy.text.contains("backup"))
            #expect(remedy.repair == [.nameValue(of: "Book.title")])
        }
    }

    @Test func `a store in XML is named, without advice for damaged databases`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Shop.xml").path
            let text = "<?xml version='1.0'?><!DOCTYPE database SYSTEM 'file:///CoreData.dtd'>"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let found = try Doctor().examine(path)
            #expect(found.diagnostics.map(\.rule) == ["unreadable-file"])
            #expect(found.diagnostics[0].message.contains("XML"))
            #expect(found.remedies.count == 1)
        }
    }

    @Test func `a store of one configuration has its version, and gets no tables of another`()
        throws
    {
        try withFolder { folder in
            func entity(_ name: String, _ more: String = "") -> String {
                "<entity name='\(name)'><attribute name='t' optional='YES' attributeType='String'/>\(more)</entity>"
            }
            func model(_ more: String) -> String {
                "<model>\(entity("Draft"))\(entity("Note", more))"
                    + ["Draft", "Note"].map {
                        "<configuration name='Of\($0)'><memberEntity name='\($0)'/></configuration>"
                    }.joined() + "</model>"
            }
            let added = "<attribute name='u' optional='YES' attributeType='String'/>"
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle([model(""), model(added)], at: bundle)
            let whole = try Model(bundle.path)
            for (name, opens) in [("Draft", 0), ("Note", 1)] {
                let alone = folder.appending(path: "\(name).xcdatamodeld")
                try writeBundle(["V": "<model>\(entity(name))</model>"], at: alone)
                let store = folder.appending(path: "\(name).sqlite").path
                _ = try Store.create(store, of: Model(alone.path))
                let found = try Doctor(whole).examine(store)
                #expect(found.versionNames == (opens == 0 ? ["V1", "V2"] : ["V1"]))
                #expect(found.opens == true)
                #expect(found.diagnostics.allSatisfy { $0.severity == .note }, "\(found)")
                let migrator = try Migrator(whole)
                let migration = try migrator.migration(of: Store(store))
                #expect(migration.steps.count == opens)
                #expect(migration.remarks.isEmpty)
                guard opens == 1 else { continue }
                let output = folder.appending(path: "New.sqlite").path
                try migrator.migrate(Store(store), to: output)
                let tables = try SQLiteConnection(path: output, mode: .immutable)
                    .value("SELECT count(*) FROM sqlite_master WHERE name = 'ZDRAFT'")
                #expect(tables?.integer == 0)
                #expect(try Doctor(whole).examine(output).versionNames == ["V2"])
            }
        }
    }

    @Test func `a store of another app is told why it does not open`() throws {
        try withStore { folder, path in
            let other = folder.appending(path: "Other.xcdatamodeld")
            let source = #"<model><entity name="Song"/></model>"#
            try writeBundle(["Other": source], at: other)
            let found = try Doctor(Model(other.path)).examine(path)
            #expect(found.opens == false)
            let reason = found.diagnostics.filter { $0.rule == "unknown-store-version" }
            #expect(reason.count == 1)
            #expect(reason.first?.location?.path == path)
            #expect(
                !found.remedies.contains {
                    $0.text.contains("migrate") || $0.text.contains("freeze")
                }
            )
        }
    }

    @Test func `the app's own way through every version is what the doctor foretells`() throws {
        try withFolder { folder in
            let types = ["V1": "String", "V2": "", "V3": "Binary"]
            let models = types.mapValues { type in
                let value =
                    type.isEmpty
                    ? "" : "<attribute name='v' optional='YES' attributeType='\(type)'/>"
                return
                    "<model><entity name='Item'><attribute name='n' optional='YES' attributeType='String'/>"
                    + "\(value)</entity></model>"
            }
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle(models, current: "V3", at: bundle)
            let path = folder.appending(path: "Old.sqlite").path
            #expect(
                try momtool("create", path, "--model", bundle.path, "--version", "V1").status == 0
            )
            func opens() throws -> Bool? { try Doctor(Model(bundle.path)).examine(path).opens }
            #expect(try opens() == false)
            let settings = folder.appending(path: ".momtool.yml")
            try Data("migration: stepwise\n".utf8).write(to: settings)
            #expect(try opens() == true)
        }
    }

    @Test func `stages that crash the app are refused by the library too`() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let models = ["V1": ["a"], "V2": ["a", "b"], "V3": ["a", "b", "c"]].mapValues { names in
                let lines = names.map {
                    "<attribute name='\($0)' optional='YES' attributeType='String'/>"
                }
                return "<model><entity name='Item'>\(lines.joined())</entity></model>"
            }
            try writeBundle(models, current: "V3", at: bundle)
            for (name, text) in [
                (
                    "Stages.yml",
                    "stages:\n  - lightweight: [V1, V2]\n  - custom: {from: V2, to: V3}\n"
                ), (".momtool.yml", "stages: [Stages.yml]\n"),
            ] { try write(text, name, in: folder) }
            let path = folder.appending(path: "Old.sqlite").path
            #expect(
                try momtool("create", path, "--model", bundle.path, "--version", "V1").status == 0
            )
            let model = try Model(bundle.path)
            let (migrator, store) = (try Migrator(model), try Store(path))
            func isRefused(_ body: () throws -> Void) -> Bool {
                do { try body() } catch {
                    return (error as? MomtoolError)?.kind == .refused
                        && "\(error)".contains("NSInvalidArgumentException")
                }
                return false
            }
            let first = try #require(model.versions.first)
            #expect(isRefused { _ = try migrator.migration(from: first) })
            #expect(isRefused { _ = try migrator.migration(of: store) })
            #expect(isRefused { _ = try migrator.losses(of: store) })
            #expect(
                isRefused {
                    let stages = folder.appending(path: "Stages.yml").path
                    _ = try Migrator(model, stages: stages)
                }
            )
            let found = try Doctor(model).examine(path)
            #expect(found.opens == false)
            #expect(found.diagnostics.contains { $0.message.contains("NSInvalidArgument") })
        }
    }

    @Test(arguments: [true, false])
    func `a file that is no store is told of once, and its path once`(isText: Bool) throws {
        try withStore { _, path in
            let bytes = try Data(contentsOf: URL(filePath: path))
            let wrong = isText ? Data("Dear diary,\n".utf8) : bytes.prefix(5000)
            try wrong.write(to: URL(filePath: path))
            let found = try Doctor(Model(Self.library)).examine(path)
            #expect(found.diagnostics.count == 1)
            let text = found.diagnostics.map(\.description).joined()
            #expect(text.components(separatedBy: path).count == 2)
        }
    }
}
