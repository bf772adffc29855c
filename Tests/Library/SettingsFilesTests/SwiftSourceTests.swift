import Foundation
import MigrationPlanning
import ObjectModel
import SettingsFiles
import TestSupport
import Testing

struct SwiftSourceTests {
    private static func reference(_ number: Int) -> ManagedObjectModelReference {
        let attributes = (0..<number).map { Attribute("a\($0)", .string) }
        let model = ManagedObjectModel([Entity("E", attributes)])
        return ManagedObjectModelReference(model: model, name: "V\(number) \"\\(x)\n")
    }

    static let source = swiftSource(
        of: StagedMigrationManager([
            .lightweight(LightweightMigrationStage([reference(1), reference(2)])),
            .custom(
                CustomMigrationStage(
                    migratingFrom: reference(2),
                    to: reference(3),
                    label: "split \"name\"\n",
                    parts: [.willMigrate, .didMigrate]
                )
            ),
        ]),
        scripts: [
            1: [
                .willMigrate: "UPDATE E SET a1 = 'x';\nUPDATE E SET a0 = '*/'",
                .map: "entities: []",
            ]
        ]
    )

    @Test func `the source has the checksums and quotes the scripts`() {
        let source = Self.source
        for number in 1...3 {
            #expect(source.contains("\"\(Self.reference(number).versionChecksum)\""))
        }
        #expect(source.contains("// UPDATE E SET a1 = 'x';"))
        #expect(source.contains("// UPDATE E SET a0 = '*/'"))
    }

    /// The parts of Apple's framework that the source uses, in Apple's spelling.
    private static let shim = """
        @_exported import Foundation
        open class NSManagedObjectModelReference: @unchecked Sendable {
            public init(name: String, in bundle: Bundle?, versionChecksum: String) {}
        }
        open class NSMigrationStage: @unchecked Sendable { public var label: String? }
        open class NSLightweightMigrationStage: NSMigrationStage, @unchecked Sendable {
            public init(_ versionChecksums: [String]) {}
        }
        open class NSCustomMigrationStage: NSMigrationStage, @unchecked Sendable {
            public init(
                migratingFrom currentModel: NSManagedObjectModelReference,
                to nextModel: NSManagedObjectModelReference
            ) {}
            public var willMigrateHandler:
                ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
            public var didMigrateHandler:
                ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
        }
        open class NSStagedMigrationManager: @unchecked Sendable {
            public init(_ stages: [NSMigrationStage]) {}
            public var container: NSPersistentContainer?
        }
        open class NSPersistentContainer: @unchecked Sendable {
            public init() {}
            open func newBackgroundContext() -> NSManagedObjectContext { NSManagedObjectContext() }
        }
        open class NSManagedObjectContext: @unchecked Sendable {
            public init() {}
            open var hasChanges: Bool { false }
            open func save() throws {}
            public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }
        }
        """

    @Test func `the source compiles against Apple's declarations`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try makeFolder(folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shim = folder.appending(path: "CoreData.swift")
        let source = folder.appending(path: "Stages.swift")
        try Data(Self.shim.utf8).write(to: shim)
        try Data(Self.source.utf8).write(to: source)
        let module = [
            "swiftc", "-emit-module", "-module-name", "CoreData", "-swift-version", "6",
            "-o", folder.appending(path: "CoreData.swiftmodule").path, shim.path,
        ]
        let check = [
            "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", folder.path,
            source.path,
        ]
        for arguments in [module, check] {
            let run = try result(of: URL(fileURLWithPath: "/usr/bin/env"), arguments)
            #expect(run.status == 0, "\(run.output)\(run.errors)\n\(Self.source)")
        }
    }
}
