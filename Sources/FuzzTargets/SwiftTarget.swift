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
            ": ",
            "[", "]", "{", "}", "(", ")", "<", ">", "?", "!", "= ", "\"", "\\(", "#if DEBUG\n",
            "#else\n", "#endif\n", "extension ", "enum ", "struct ", "typealias ", "static ",
            ".self",
            "VersionedSchema", "SchemaMigrationPlan", "models", "#Unique<T>([\\.", "#Index<T>([\\.",
            "/*", "*/", "//", "`", "case ", "as ", "+ ", "Optional<", "default", "\"\"\"",
        ],
        takes: { $0.hasSuffix(".swift") && $0.contains("Model") },
        samples: { [Data(sample.utf8)] },
        run: { bytes in
            let source = SwiftSource(path: "Model.swift", bytes: Array(bytes))
            let models = readSwiftModels([source])
            for version in models.value.versions { _ = versionHashes(of: version.model) }
            let error = models.diagnostics.first { $0.severity == .error }
            return error.map { .refused($0.message) } ?? .accepted
        }
    )

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
