import Foundation
import SwiftData

/// The second version: notebooks, and the place of an entry.
enum SchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Entry.self, Notebook.self] }

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
        var text: String = ""
        var mood: Mood?
        var place: Place?
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
