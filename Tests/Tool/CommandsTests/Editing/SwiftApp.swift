import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport

struct SwiftApp {
    let folder: URL

    func run(_ words: String...) throws -> CommandResult {
        try momtool(["model", words[0], "App"] + words.dropFirst(), in: folder)
    }

    func text(_ name: String) throws -> String {
        try fileText(folder.appending(path: "App/\(name)"))
    }

    func edit(_ name: String, _ old: String, to new: String) throws {
        try write(text(name).replacing(old, with: new), "App/\(name)", in: folder)
    }

    func files() throws -> [String: String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try fileText(folder.appending(path: $0))) }
        )
    }

    func hashes(_ version: String) -> ModelHashes? {
        readSwiftBundle(at: folder.appending(path: "App").path).value.version(named: version)?
            .hashes
    }

    /// Classes that the version lists.
    static let live = """
        import Foundation
        import SwiftData

        @Model
        final class Entry {
            #Index<Entry>([\\.text], [\\.title, \\.text])

            @Attribute(.unique) var id: UUID  // the key
            var title: String = ""
            /// What was written.
            var text: String = ""
            var mood: Int?
            var notebook: Notebook?

            init(id: UUID = UUID(), text: String) {
                self.id = id
                self.text = text
            }
        }

        @Model
        final class Notebook {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \\Entry.notebook) var entries: [Entry] = []

            init(name: String) { self.name = name }
        }
        """

    static let schema = """
        import SwiftData

        enum SchemaV1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Entry.self, Notebook.self] }
        }

        enum AppPlan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] {
                [
                    SchemaV1.self
                ]
            }
            static var stages: [MigrationStage] { [] }
        }

        let schema = Schema(versionedSchema: SchemaV1.self)
        """

    static let sources = ["Models.swift": live, "Schemas.swift": schema]

    static func with(_ files: [String: String], _ body: (SwiftApp) throws -> Void) throws {
        try withFolder { folder in
            let place = folder.appending(path: "App")
            try makeFolder(place)
            for (name, text) in files { try write(text, name, in: place) }
            try body(SwiftApp(folder: folder))
        }
    }

    static func journal(_ body: (SwiftApp) throws -> Void) throws {
        let folder = Corpus.package.appending(path: "Models/Journal")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let files = try names.filter { $0.hasSuffix(".swift") }.map {
            ($0, try fileText(folder.appending(path: $0)))
        }
        try with(Dictionary(uniqueKeysWithValues: files), body)
    }

    static func changes(_ old: String, _ new: String) -> [String] {
        new.components(separatedBy: "\n").difference(from: old.components(separatedBy: "\n"))
            .map { change in
                switch change {
                case .remove(_, let line, _): "-" + line.drop { $0 == " " }
                case .insert(_, let line, _): "+" + line.drop { $0 == " " }
                }
            }
    }
}
