package import Diagnostics
import SwiftDataReading

extension SwiftSourceEditor {
    /// The inverse of a relationship that is not written.
    package struct Inverse: Sendable, Hashable {
        package var place: FileLocation
        package var entity: String
        package var property: String

        package init(at place: FileLocation, entity: String, property: String) {
            (self.place, self.entity, self.property) = (place, entity, property)
        }
    }

    /// Writes inverses that SwiftData finds without them; throws where one has moved or hashes would change.
    package mutating func write(_ inverses: [Inverse]) throws(MomtoolError) {
        var edits: [Int: [SwiftEdit]] = [:]
        var lines: [Int: [Int]] = [:]
        for inverse in inverses {
            let (file, offset) = try position(of: inverse.place, &lines)
            edits[file, default: []].append(
                .writeInverse(propertyAt: offset, class: inverse.entity, property: inverse.property)
            )
        }
        try take(try edited(edits), editing: versionName) { _ in false }
    }
}
