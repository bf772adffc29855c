import Diagnostics
import Essentials
import ObjectModel
import SwiftDataReading

/// A relationship that a `@Model` class gets.
package struct SwiftRelationship: Sendable, Hashable {
    /// The class that it leads to.
    package var destination: String
    /// Whether it leads to several objects.
    package var isToMany: Bool
    /// Whether there may be no object, or no list.
    package var isOptional: Bool
    /// What deleting does to the other side, as Swift writes it, such as `cascade`; `nil` for what is usual.
    package var deleteRule: String?
    /// The property that leads back, which is made where it is not there; `nil` for none.
    package var inverse: String?
    /// The least number of objects.
    package var least: Int?
    /// The greatest number of objects.
    package var greatest: Int?

    /// Describes a relationship.
    package init(to destination: String, isToMany: Bool, isOptional: Bool) {
        (self.destination, self.isToMany, self.isOptional) = (destination, isToMany, isOptional)
    }

    /// The declaration of a property of a name.
    fileprivate func declaration(_ name: String) -> String {
        var options: [String] = []
        if let deleteRule { options.append("deleteRule: .\(deleteRule)") }
        if let least { options.append("minimumModelCount: \(least)") }
        if let greatest { options.append("maximumModelCount: \(greatest)") }
        let type = destination.swiftName
        if let inverse { options.append("inverse: \\\(type).\(inverse.swiftName)") }
        let attribute = options.isEmpty ? "" : "@Relationship(\(options.joined(separator: ", "))) "
        let mark = isOptional ? "?" : ""
        return isToMany
            ? "\(attribute)var \(name): [\(type)]\(mark) = []"
            : "\(attribute)var \(name): \(type)\(mark)"
    }
}

extension SwiftSourceEditor {
    /// Adds an empty class to the version: beside its other classes, and to its list of models.
    ///
    /// - Throws: ``MomtoolError`` for a name that is taken, and for sources in which that cannot be done surely.
    package mutating func addClass(_ name: String) throws(MomtoolError) {
        try requireName(name, of: "class")
        let old = try version
        guard !old.model.entities.contains(where: { $0.name == name }) else {
            throw refusal("'\(versionName)' has a class '\(name)' already")
        }
        let isListed = bundle.swift?.schemas.contains(old.name) == true
        var places: [(file: Int, offset: Int)] = []
        for entity in old.model.entities {
            places.append(try position(of: entity.source.element))
        }
        guard let last = places.max(by: { ($0.file, $0.offset) < ($1.file, $1.offset) }) else {
            throw refusal("'\(versionName)' has no class beside which to write '\(name)'")
        }
        let around: [String]
        do throws(SwiftEditFault) {
            around = try typesAround(typeAt: last.offset, in: sources[last.file])
        } catch {
            throw refusal(Wording(error.message))
        }
        guard !around.isEmpty || !sources.contains(where: { $0.declares(name) }) else {
            throw refusal("there is a type '\(name)' already")
        }
        var edits: [Int: [SwiftEdit]] = [
            last.file: [.addClass(name, behindTypeAt: last.offset)]
        ]
        if isListed {
            let (home, place) = try position(of: old.model.source.element)
            edits[home, default: []].append(.addToModels(at: place, class: name))
        }
        if around == [old.name] {
            for index in sources.indices where sources[index].names(old.name) {
                edits[index, default: []].append(.addAlias(name, of: old.name))
            }
        }
        let current = versionName
        try take(try edited(edits), editing: current) { $0 == current }
        guard try version.model.entities.contains(where: { $0.name == name }) else {
            throw refusal("the version would not get a class '\(name)' by that")
        }
        noteLists(without: name, like: old.model.entities.map(\.name))
    }

    /// Says where a list of classes for a container stands, which is not edited.
    private mutating func noteLists(without name: String, like others: [String]) {
        let isListed = bundle.swift?.schemas.contains(versionName) == true
        for source in sources {
            // The list of the version itself has the class by now.
            let calls = containerCalls(in: source)
            guard !calls.isEmpty, !(isListed && source.declares(versionName)),
                let other = others.first(where: { source.names("\($0).self") }),
                let found = try? mentions(of: other, in: source),
                let offset = isListed
                    ? found.first(where: { place in calls.contains { $0.contains(place) } })
                    : found.first
            else { continue }
            let line = source.bytes[..<offset].count { $0 == 0x0A } + 1
            tasks.append("\(source.path):\(line) lists classes: write \(name).self there too")
        }
    }

    /// The calls that take lists of classes for a container, from the word to the parenthesis that ends it.
    private func containerCalls(in source: SwiftSource) -> [Range<Int>] {
        ["modelContainer(", "ModelContainer(", "Schema("].flatMap { word in
            source.bytes.ranges(of: Array(word.utf8)).map { range in
                var (end, depth) = (range.upperBound, 1)
                while end < source.bytes.count, depth > 0 {
                    switch source.bytes[end] {
                    case UInt8(ascii: "("): depth += 1
                    case UInt8(ascii: ")"): depth -= 1
                    default: break
                    }
                    end += 1
                }
                return range.lowerBound..<end
            }
        }
    }

    /// Adds a relationship to a class, and the property that leads back where it is not there.
    ///
    /// - Parameters:
    ///   - text: its path, as `Entry.tags`.
    ///   - relationship: what it leads to.
    /// - Throws: ``MomtoolError`` for one that is there, and for an inverse that leads elsewhere.
    package mutating func add(
        _ text: String,
        _ relationship: SwiftRelationship
    ) throws(MomtoolError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw refusal("name a property of a class, as Entry.tags; '\(text)' is none")
        }
        try requireName(parts[1])
        let owner = try entity(parts[0])
        let end = try entity(relationship.destination)
        guard !owner.propertyNames.contains(parts[1]) else {
            throw refusal("\(text) is there already")
        }
        let (file, offset) = try position(of: owner.source.element)
        let declaration = relationship.declaration(parts[1].swiftName)
        var edits: [Int: [SwiftEdit]] = [file: [.add(declaration, toClassAt: offset)]]
        if let inverse = relationship.inverse, !(owner.name == end.name && inverse == parts[1]) {
            try requireName(inverse)
            if end.propertyNames.contains(inverse) {
                try requireFree(inverse, of: end, leadingTo: owner)
            } else {
                // As in a model of Core Data, an inverse leads to one object.
                let (other, place) = try position(of: end.source.element)
                let back = "var \(inverse.swiftName): \(owner.name.swiftName)?"
                edits[other, default: []].append(.add(back, toClassAt: place))
            }
        }
        let name = versionName
        try take(try edited(edits), editing: name) { $0 == name }
        let made = try entity(parts[0]).relationships.first { $0.name == parts[1] }
        guard let made, made.destinationEntity == end.name,
            made.isToMany == relationship.isToMany,
            relationship.inverse == nil || made.inverseName == relationship.inverse
        else { throw refusal("the class would not get such a relationship '\(parts[1])' by that") }
    }

    /// Refuses an inverse that leads elsewhere, or back from another relationship.
    private func requireFree(
        _ inverse: String,
        of end: Entity,
        leadingTo owner: Entity
    ) throws(MomtoolError) {
        guard let other = end.relationships.first(where: { $0.name == inverse }),
            other.destinationEntity == owner.name
        else { throw refusal("\(end.name).\(inverse) does not lead to \(owner.name)") }
        if let former = other.inverseName, !former.isEmpty {
            throw refusal("\(end.name).\(inverse) has another inverse, \(owner.name).\(former)")
        }
    }
}
