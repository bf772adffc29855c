import Foundation
import SwiftData

// Trip: a class with subclasses hashes otherwise than one without.
@Model class Trip {
    var name: String = ""
    init() {}
}

// WorkTrip: a subclass is not a sub-entity whose hash includes that of its parent.
@Model final class WorkTrip: Trip {
    var code: String = ""
    var folder: Folder?
    override init() { super.init() }
}

// Folder: a relationship to a subclass names the class otherwise.
@Model final class Folder {
    @Relationship(inverse: \WorkTrip.folder) var trips: [WorkTrip] = []
    init() {}
}

let models: [any PersistentModel.Type] = [
    Trip.self, WorkTrip.self, Folder.self,
]
