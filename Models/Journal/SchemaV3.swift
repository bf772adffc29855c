import Foundation
import SwiftData

/// The third version: what was called text is the body, and entries have tags.
enum SchemaV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Entry.self, Notebook.self] }
}

extension SchemaV3 {
    enum Mood: String, Codable { case good, bad, neither }

    struct Place: Codable {
        var town: String
        var latitude: Double?
        var longitude: Double?
    }

    @Model
    final class Entry {
        #Index<Entry>([\.written], [\.title, \.written])

        @Attribute(.unique) var id: UUID
        var title: String = ""
        @Attribute(originalName: "text") var body: String = ""
        var mood: Mood?
        var place: Place?
        var tags: [String]?
        var written: Date
        var notebook: Notebook?

        init(id: UUID = UUID(), written: Date = Date()) {
            self.id = id
            self.written = written
        }
    }

    @Model
    final class Notebook {
        #Unique<Notebook>([\.name])

        var name: String = ""
        @Relationship(deleteRule: .cascade, inverse: \Entry.notebook) var entries: [Entry] = []

        init(name: String) {
            self.name = name
        }
    }
}

typealias Entry = SchemaV3.Entry
typealias Notebook = SchemaV3.Notebook
