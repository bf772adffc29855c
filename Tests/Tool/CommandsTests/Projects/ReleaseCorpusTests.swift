import Foundation
import TestSupport
import Testing

/// A store of every version that shipped, migrated along the app's own route at each change.
struct ReleaseCorpusTests {
    @Test func `the test for the app compiles against declarations of Core Data`() throws {
        try withFolder { folder in
            try writeBundle([textModel("Item", ["a"])], "Stops.xcdatamodeld", in: folder)
            let record = "test --corpus Corpus --model Stops.xcdatamodeld --record"
            try expectRun(record, in: folder, 0)
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

    @Test func `a store that is not migrated is a finding, until it has other rows`() throws {
        try withFolder { folder in
            let optional = textModel("Item", ["a"])
            let models = [optional, optional.replacing("optional='YES' ", with: "")]
            try writeBundle(models, "Stops.xcdatamodeld", in: folder)
            let record = "test --corpus Corpus --model Stops.xcdatamodeld --record"
            let recorded = try momtool(record, in: folder)
            #expect(recorded.status == 1, "\(recorded)")
            #expect(!recorded.output.contains("error:") && recorded.output.contains("'rows:'"))
            try write(#"{"Item": [{"a": "x"}]}"#, "Rows.json", in: folder)
            try write("rows: {V1: Rows.json}", ".momtool.yml", in: folder)
            try expectRun(record, in: folder, 0)
            try expectRun("test --corpus Corpus", in: folder, 0)
        }
    }

    @Test func `the test for an app of SwiftData opens its version with its plan`() throws {
        try withFolder { folder in
            let version = """
                static let versionIdentifier = Schema.Version(1, 0, 0)
                static var models: [any PersistentModel.Type] { [Item.self] }
                @Model final class Item { var a = 1 }
                """
            let text = """
                import SwiftData
                enum V1: VersionedSchema { \(version) }
                enum V2: VersionedSchema {
                \(version.replacing("(1,", with: "(2,").replacing("a = 1", with: "a = 1; var b: Int?"))
                }
                enum Plan: SchemaMigrationPlan {
                    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                    static var stages: [MigrationStage] {
                        [.lightweight(fromVersion: V1.self, toVersion: V2.self)]
                    }
                }
                """
            try write(text, "Shop App/Models.swift", in: folder)
            let record = ["test", "--corpus", "Corpus", "--model", "Shop App", "--record"]
            #expect(try momtool(record, in: folder).status == 0)
            let test = try fileText(folder.appending(path: "Corpus/CorpusTests.swift"))
            let lines = [
                "import SwiftData", "@testable import Shop_App",
                "for: Schema(versionedSchema: V2.self)", "migrationPlan: Plan.self,",
                "ModelConfiguration(url: store", "makeManagedObjectModel(for: V2.models)!",
            ]
            for line in lines { #expect(test.contains(line), "\(line)") }
            #expect(!test.contains("NSPersistentContainer"))
            // The corpus is brought up to date by whichever path the model is named.
            try makeRepository(folder)
            #expect(try momtool(["lock"], in: folder).status == 0)
            let made = folder.appending(path: "Corpus/V2.sqlite")
            #expect(FileManager.default.fileExists(atPath: made.path))
            // A corpus that cannot be read tests nothing.
            try write("{}", "Corpus/corpus.json", in: folder)
            let check = try momtool(["check"], in: folder)
            #expect(check.status == 1 && check.output.contains("[corpus-incomplete]"))
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
