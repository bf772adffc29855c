/// A part of an entity that could not be read; such an entity has no hash.
package struct EntityGap: Sendable, Hashable {
    /// The entity that has the part; `nil` where the reason says it.
    package var entity: String?
    /// The property; `nil` where it is not one alone.
    package var property: String?
    /// What is not understood of it; lower case, no final period.
    package var reason: String
    /// Where it stands; without a location where that of the entity has to do.
    package var source = SourceMark()

    /// Creates a gap of what an element such as `Seat` or `Seat.numbers` says.
    package init(in element: String, _ reason: String, at source: SourceMark = SourceMark()) {
        let names = element.split(separator: ".", maxSplits: 1).map(String.init)
        entity = names.first
        property = names.count > 1 ? names[1] : nil
        self.reason = reason
        self.source = source
    }
}

extension EntityGap: ExpressibleByStringInterpolation {
    package init(stringLiteral reason: String) { self.reason = reason }
}

extension EntityGap: CustomStringConvertible {
    /// The gap as people are told, such as `Seat.numbers: type Foo is not understood`.
    package var description: String {
        let names = [entity, property].compactMap(\.self)
        return names.isEmpty ? reason : "\(names.joined(separator: ".")): \(reason)"
    }
}

extension [EntityGap] {
    /// The gaps in one line.
    package var joined: String { map(\.description).joined(separator: "; ") }
}
