import CodeGeneration
import Diagnostics
import Foundation
import ModelHashing
import ObjectModel
import SwiftDataReading

extension FuzzTarget {
    static let swiftSources = FuzzTarget(
        "swift",
        "Swift sources with @Model classes",
        tokens: [
            "@Model class ", "@Attribute(.unique) ", "@Relationship(inverse: \\", "var ", "let ",
            ": ", "[", "]", "{", "}", "(", ")", "<", ">", "?", "!", "= ", "\"", "\\(",
            "#if DEBUG\n", "#else\n", "#endif\n", "extension ", "enum ", "struct ", "typealias ",
            "static ", ".self", "VersionedSchema", "SchemaMigrationPlan", "models",
            "#Unique<T>([\\.", "#Index<T>([\\.", "/*", "*/", "//", "`", "case ", "as ", "+ ",
            "Optional<", "default", "\"\"\"",
        ],
        takes: { $0.hasSuffix(".swift") && $0.contains("Model") },
        samples: { [Data(sample.utf8)] },
        run: { bytes in
            let source = SwiftSource(path: "Model.swift", bytes: Array(bytes))
            let models = readSwiftModels([source])
            for version in models.value.versions {
                // Large inputs are mostly one piece many times over, and slow already.
                guard bytes.count > 1 << 14 || hasSameHashes(version) else {
                    return .refused(otherHashes)
                }
            }
            exerciseEdits(of: source, models.value)
            let error = models.diagnostics.first { $0.severity == .error }
            return error.map { .refused($0.message) } ?? .accepted
        }
    )

    /// The message about classes that were written for a version and have other hashes.
    package static let otherHashes = "the classes that were written for it have other hashes"

    /// Whether the classes written for a version have its hashes, or there is a reason why not.
    private static func hasSameHashes(_ version: SwiftModelVersion) -> Bool {
        let hashes = versionHashes(of: version.model)
        guard version.spoiledEntities.isEmpty, version.model.entities.count < 20 else {
            return true
        }
        let frame = SwiftDataFrame(schemaName: "Frozen", origin: "an input")
        for shapes in [version.shapes, SwiftShapes()] {
            let written = swiftDataClasses(of: version.model, in: frame, shapes: shapes)
            let source = SwiftSource(path: "Frozen.swift", bytes: Array(written.value.utf8))
            let read = readSwiftModels([source]).value.versions.first
            guard let read, read.spoiledEntities.isEmpty, versionHashes(of: read.model) == hashes
            else {
                if written.diagnostics.contains(where: { $0.severity == .error }) { continue }
                return false
            }
        }
        return true
    }

    private static let sample = """
        import SwiftData
        enum Mood: String, Codable { case good = "g", bad }
        struct Place: Codable { var town: String; var mood: Mood?; var at: [Double]; static let none = 1 }
        typealias Money = Decimal
        enum SchemaV1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Trip.self] + [Stop.self] }
            @Model final class Trip {
                #Unique<Trip>([\\.name, \\.price])
                @Attribute(.unique, originalName: "old") var name: String = ""
                var price: Money = 1.5
                @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []
                @Transient var passing: Int = 0
                var text: String { name }
            }
        }
        extension SchemaV1 {
            @Model final class Stop {
                #Index<Stop>([\\.made])
                var trip: Trip?
                var place: Place?
                var mood = Mood.good
                var made = Date()
                #if DEBUG
                var note = ""
                #endif
            }
        }
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [SchemaV1.self] }
            static var stages: [MigrationStage] { [] }
        }
        """
}
