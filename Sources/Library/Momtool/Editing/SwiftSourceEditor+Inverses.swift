package import Diagnostics
import SwiftDataReading

extension SwiftSourceEditor {
    /// The inverse of a relationship that is not written.
    package struct Inverse: Sendable, Hashable {
        /// Where the name of the relationship stands.
        package var place: FileLocation
        /// The class of the inverse.
        package var entity: String
        /// Its name.
        package var property: String

        /// Names an inverse.
        package init(at place: FileLocation, entity: String, property: String) {
            (self.place, self.entity, self.property) = (place, entity, property)
        }
    }

    /// Writes inverses that SwiftData finds without that, so that no version has other hashes.
    ///
    /// - Throws: ``MomtoolError`` for one that is not where it was, and where a version would be another one.
    package mutating func write(_ inverses: [Inverse]) throws(MomtoolError) {
        var edits: [Int: [SwiftEdit]] = [:]
        var lines: [Int: [Int]] = [:]
        for inverse in inverses {
            let (file, offset) = try position(of: inverse.place, &lines)
            edits[file, default: []].append(
                .writeInverse(
                    propertyAt: offset,
                    class: inverse.entity,
                    property: inverse.property
                )
            )
        }
        try take(try edited(edits), editing: versionName) { _ in false }
    }
}
