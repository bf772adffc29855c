import Foundation
import TestSupport
import Testing

/// A store of every version that shipped, migrated along the app's own route at each change.
struct ReleaseCorpusTests {
    private static let record = [
        "test", "--corpus", "Corpus", "--model", "Stops.xcdatamodeld", "--record",
    ]

    private func bundle(_ folder: URL) -> URL { folder.appending(path: "Stops.xcdatamodeld") }

    private func test(in folder: URL) throws -> (status: Int32, text: String) {
        let result = try momtool(["test", "--corpus", "Corpus"], in: folder)
        return (result.status, result.output + result.errors)
    }

    /// Records a corpus of the first version, and lets the second one with an edit come.
    private func withEdit(_ edit: ModelEdit, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try edit.write(in: folder)
            let both = bundle(folder).appending(path: "Stops 2.xcdatamodel")
            let later = folder.appending(path: "later")
            try FileManager.default.moveItem(at: both, to: later)
            try writeBundle([:], current: "Stops", at: bundle(folder))
            let recorded = try momtool(Self.record, in: folder)
            #expect(recorded.status == 0, "\(recorded.output)\(recorded.errors)")
            #expect(try test(in: folder).status == 0)
            try FileManager.default.moveItem(at: later, to: both)
            try writeBundle([:], current: "Stops 2", at: bundle(folder))
            try body(folder)
        }
    }

    @Test(arguments: ModelEdit.losing)
    func `a mistake in a release is red and names what it loses`(_ edit: ModelEdit) throws {
        try withEdit(edit) { folder in
            let run = try test(in: folder)
            #expect(run.status == 1, "\(run.text)")
            #expect(try run.text.contains(#require(edit.loss)), "\(run.text)")
        }
    }

    @Test(arguments: ModelEdit.harmless)
    func `a good release is green`(_ edit: ModelEdit) throws {
        try withEdit(edit) { folder in
            let run = try test(in: folder)
            #expect(run.status == 0, "\(run.text)")
        }
    }

    @Test func `a map that changes what was accepted is red by the recorded rows`() throws {
        try withEdit(ModelEdit.harmless[1]) { folder in
            let stages = """
                stages:
                  - custom: {from: Stops, to: Stops 2}
                    map: Map.yml
                """
            let map = "entities: [{from: Stop, to: Stop, set: {label: {constant: lost}}}]\n"
            try write(map, "Map.yml", in: folder)
            try write(stages, "Stages.yml", in: folder)
            try write("stages: [Stages.yml]\nallowDataLoss: true\n", ".momtool.yml", in: folder)
            let run = try test(in: folder)
            #expect(run.status == 1, "\(run.text)")
            #expect(run.text.contains("label"), "\(run.text)")
        }
    }

    @Test func `a version that was edited after it shipped is red, and gets a store of its own`()
        throws
    {
        try withEdit(ModelEdit.harmless[0]) { folder in
            try writeBundle([:], current: "Stops", at: bundle(folder))
            let contents = bundle(folder).appending(path: "Stops.xcdatamodel/contents")
            let text = try String(contentsOf: contents, encoding: .utf8)
            let edited = text.replacingOccurrences(of: "Integer 32", with: "Integer 64")
            try Data(edited.utf8).write(to: contents)
            #expect(try test(in: folder).status == 1)
        }
    }

    @Test func `two runs give the same bytes, and a release that is missing is named`() throws {
        try withEdit(ModelEdit.harmless[0]) { folder in
            let corpus = folder.appending(path: "Corpus")
            let first = try Data(contentsOf: corpus.appending(path: "Stops.sqlite"))
            try FileManager.default.removeItem(at: corpus)
            #expect(try momtool(["lock", "Stops.xcdatamodeld"], in: folder).status == 0)
            #expect(try momtool(Self.record, in: folder).status == 0)
            #expect(try Data(contentsOf: corpus.appending(path: "Stops.sqlite")) == first)
            let names = try FileManager.default.contentsOfDirectory(atPath: corpus.path)
            #expect(names.contains("Stops 2.sqlite"))
            #expect(try test(in: folder).status == 0)
            // Without the newer store every gate names the release.
            let index = corpus.appending(path: "corpus.json")
            var list = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: index)) as? [String: Any]
            )
            list["stores"] = (list["stores"] as? [[String: Any]])?.filter {
                $0["name"] as? String == "Stops"
            }
            try JSONSerialization.data(withJSONObject: list).write(to: index)
            let run = try test(in: folder)
            #expect(run.status == 1)
            #expect(run.text.contains("'Stops 2' shipped"), "\(run.text)")
            let check = try momtool(["check"], in: folder)
            #expect(check.output.contains("[corpus-incomplete]"), "\(check.output)")
        }
    }

    @Test func `what releases had is told apart by their tags where nothing is locked`() throws {
        try withFolder { folder in
            for (tag, attributes) in [("v1", ["a"]), ("beta", ["a", "b"]), ("v2", ["a", "c"])] {
                try writeBundle(
                    ["V1": textModel("Item", attributes)],
                    current: "V1",
                    at: bundle(folder)
                )
                try commit(tag, in: folder)
                try git("tag", tag, in: folder)
            }
            try write("releases: [v*]\n", ".momtool.yml", in: folder)
            let recorded = try momtool(Self.record, in: folder)
            #expect(recorded.status == 0, "\(recorded.output)\(recorded.errors)")
            let corpus = folder.appending(path: "Corpus").path
            let stores = try FileManager.default.contentsOfDirectory(atPath: corpus)
                .filter { $0.hasSuffix(".sqlite") }.sorted()
            #expect(stores == ["V1-v2.sqlite", "V1.sqlite"])
            // The first content is no version of the model any more: the app does not open its stores.
            let run = try test(in: folder)
            #expect(run.status == 1)
            #expect(run.text.contains("is of no version"), "\(run.text)")
        }
    }

    @Test func `the test for the app compiles against declarations of Core Data`() throws {
        try withFolder { folder in
            try writeBundle(
                ["V1": textModel("Item", ["a"])],
                current: "V1",
                at: bundle(folder)
            )
            #expect(try momtool(Self.record, in: folder).status == 0)
            try write(Self.declarations, "CoreData.swift", in: folder)
            let compiled = try shell(
                """
                swiftc -emit-module -module-name CoreData -parse-as-library CoreData.swift -o CoreData.swiftmodule \
                && sed 's/canImport(Testing)/false/; s/import XCTest/class XCTestCase {}; func XCTFail(_: String) {}/' \
                Corpus/CorpusTests.swift > Tests.swift && swiftc -swift-version 6 -typecheck -parse-as-library -I . Tests.swift
                """,
                in: folder
            )
            #expect(compiled.status == 0, "\(compiled.output)\(compiled.errors)")
        }
    }

    /// What of Core Data the test uses.
    private static let declarations = """
        import Foundation
        public let NSReadOnlyPersistentStoreOption = ""
        public let NSSQLiteStoreType = ""
        public enum NSAttributeType { case booleanAttributeType, integer16AttributeType, integer32AttributeType, \
        integer64AttributeType, doubleAttributeType, dateAttributeType, stringAttributeType, UUIDAttributeType, other }
        public class NSAttributeDescription { public var attributeType: NSAttributeType { .other } }
        public class NSRelationshipDescription { public var isToMany: Bool { false } }
        public class NSEntityDescription {
            public var name: String? { nil }
            public var attributesByName: [String: NSAttributeDescription] { [:] }
            public var relationshipsByName: [String: NSRelationshipDescription] { [:] }
        }
        public class NSManagedObjectModel { public var entitiesByName: [String: NSEntityDescription] { [:] } }
        public class NSPersistentStoreDescription { public init(url: URL) {} }
        public class NSPersistentContainer {
            public init(name: String) {}
            public var persistentStoreDescriptions: [NSPersistentStoreDescription] = []
            public func loadPersistentStores(completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void) {}
            public var managedObjectModel: NSManagedObjectModel { NSManagedObjectModel() }
        }
        public class NSPersistentStore {}
        public class NSPersistentStoreCoordinator {
            public init(managedObjectModel: NSManagedObjectModel) {}
            @discardableResult public func addPersistentStore(
                ofType: String, configurationName: String?, at: URL?, options: [AnyHashable: Any]?) throws -> NSPersistentStore { .init() }
        }
        public class NSManagedObject { public func value(forKey: String) -> Any? { nil } }
        public class NSFetchRequest<Result> {
            public init(entityName: String) {}
            public var includesSubentities = true
        }
        public enum NSManagedObjectContextConcurrencyType { case privateQueueConcurrencyType }
        public class NSManagedObjectContext {
            public init(concurrencyType: NSManagedObjectContextConcurrencyType) {}
            public var persistentStoreCoordinator: NSPersistentStoreCoordinator?
            public func performAndWait(_ block: () -> Void) {}
            public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { [] }
        }
        """
}
