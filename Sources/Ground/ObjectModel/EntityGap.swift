/// A part of an entity that could not be read; an entity with one has no hash.
package struct EntityGap: Sendable, Hashable {
    /// The entity that has the part; `nil` where the reason says it.
    package var entity: String?
    /// The property; `nil` where it is not exactly one.
    package var property: String?
    /// What is not understood; lower case, no final period.
    package var reason: String
    /// Its position; without a location where that of the entity must do.
    package var source = SourceMark()

    /// Creates a gap of an element such as `Seat` or `Seat.numbers`.
    package init(in element: String, _ reason: String, at source: SourceMark = SourceMark()) {
        let names = element.split(separator: ".", maxSplits: 1).map(String.init)
        entity = names.first
        property = names.count > 1 ? names[1] : nil
        (self.reason, self.source) = (reason, source)
    }
}

extension EntityGap: ExpressibleByStringInterpolation {
    package init(stringLiteral reason: String) { self.reason = reason }
}

extension EntityGap: CustomStringConvertible {
    /// The gap in words, such as `Seat.numbers: type Foo is not understood`.
    package var description: String {
        let names = [entity, property].compactMap(\.self)
        return names.isEmpty ? reason : "\(names.joined(separator: ".")): \(reason)"
    }
}

extension [EntityGap] { package var joined: String { map(\.description).joined(separator: "; ") } }
