import Foundation
import SwiftData

/// The first version: entries with a mood.
enum SchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Entry.self] }

    enum Mood: String, Codable { case good, bad }

    @Model
    final class Entry {
        @Attribute(.unique) var id: UUID
        var title: String = ""
        var text: String = ""
        var mood: Mood?
        var written: Date

        init(id: UUID = UUID(), written: Date = Date()) {
            self.id = id
            self.written = written
        }
    }
}
