import Diagnostics
import ObjectModel
import SwiftDataReading

extension SwiftSourceEditor {
    /// A property of a class, as `Entry.text` names it.
    private struct Target {
        var entity: Entity
        var name: String
        var isRelationship: Bool
        /// Where the name of the property stands; `nil` for one that is new.
        var location: FileLocation?
    }

    func entity(_ name: String) throws(MomtoolError) -> Entity {
        let entities = try version.model.entities
        guard let entity = entities.first(where: { $0.name == name }) else {
            let names = entities.map(\.name)
            let near = suggestion(for: name, among: names)
            let all = names.isEmpty ? "" : "; there are: \(names.joined(separator: ", "))"
            throw refusal("'\(versionName)' has no class '\(name)'\(near)\(all)")
        }
        return entity
    }

    private func target(_ text: String) throws(MomtoolError) -> Target {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw refusal("name a property of a class, as Entry.text; '\(text)' is none")
        }
        let entity = try entity(parts[0])
        if let attribute = entity.attributes.first(where: { $0.name == parts[1] }) {
            let place = attribute.source.element
            return Target(entity: entity, name: parts[1], isRelationship: false, location: place)
        }
        if let relationship = entity.relationships.first(where: { $0.name == parts[1] }) {
            let place = relationship.source.element
            return Target(entity: entity, name: parts[1], isRelationship: true, location: place)
        }
        let near = nearestName(to: parts[1], among: entity.propertyNames)
        let advice = near.map { "; did you mean '\(entity.name).\($0)'" } ?? ""
        throw refusal("there is no \(text)\(advice)")
    }

    func requireName(_ name: String, of kind: String = "property") throws(MomtoolError) {
        let scalars = name.unicodeScalars
        guard let first = scalars.first, first.properties.isXIDStart || first == "_",
            scalars.allSatisfy({ $0.properties.isXIDContinue })
        else { throw refusal("'\(name)' is no name of a \(kind)") }
    }

    /// Adds a property to a class.
    ///
    /// - Parameters:
    ///   - text: its path, such as `Entry.rating`.
    ///   - declaration: writes the declaration from the name as Swift takes it.
    /// - Throws: ``MomtoolError`` for one that is there, and where the class gets no such attribute of it.
    package mutating func add(
        _ text: String,
        _ declaration: (String) -> String
    ) throws(MomtoolError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw refusal("name a property of a class, as Entry.rating; '\(text)' is none")
        }
        try requireName(parts[1])
        let entity = try entity(parts[0])
        guard !entity.propertyNames.contains(parts[1]) else {
            throw refusal("\(text) is there already")
        }
        let (file, offset) = try position(of: entity.source.element)
        let edit = SwiftEdit.add(declaration(parts[1].swiftName), toClassAt: offset)
        let name = versionName
        try take(try edited([file: [edit]]), editing: name) { $0 == name }
        guard try self.entity(parts[0]).attributes.contains(where: { $0.name == parts[1] }) else {
            throw refusal("the class would not get an attribute '\(parts[1])' by that")
        }
    }

    /// Renames a property, so that stores keep its values.
    package mutating func rename(_ text: String, to new: String) throws(MomtoolError) {
        guard try !version.model.entities.contains(where: { $0.name == text }) else {
            throw refusal(
                """
                SwiftData cannot rename a class: keep the name '\(text)', or carry its objects over in a custom stage
                """
            )
        }
        let target = try target(text)
        try requireName(new)
        guard !target.entity.propertyNames.contains(new) else {
            throw refusal("\(target.entity.name).\(new) is there already")
        }
        let (file, offset) = try position(of: target.location)
        let (home, place) = try position(of: target.entity.source.element)
        var edits: [Int: [SwiftEdit]] = [
            file: [.rename(propertyAt: offset, to: new, isRelationship: target.isRelationship)]
        ]
        let scope: String?
        do throws(SwiftEditFault) {
            scope = try typesAround(typeAt: place, in: sources[home]).first
        } catch {
            throw refusal(Wording(error.message))
        }
        for index in sources.indices where sources[index].mayDeclareModels {
            edits[index, default: []].append(
                .renameInverses(
                    of: target.entity.name,
                    property: target.name,
                    to: new,
                    in: scope
                )
            )
        }
        let name = versionName
        try take(try edited(edits), editing: name) { $0 == name }
        noteMentions(of: target.name, "\(target.entity.name).\(new)")
    }

    /// Removes a property.
    package mutating func remove(_ text: String) throws(MomtoolError) {
        let target = try target(text)
        let inverses = try version.model.entities.flatMap { entity in
            entity.relationships.filter {
                target.isRelationship && $0.destinationEntity == target.entity.name
                    && $0.inverseName == target.name
                    && !(entity.name == target.entity.name && $0.name == target.name)
            }.map { "\(entity.name).\($0.name)" }
        }
        guard inverses.isEmpty else {
            throw refusal(
                "\(inverses.joined(separator: ", ")) would lead back to nothing; remove that first"
            )
        }
        let (file, offset) = try position(of: target.location)
        let name = versionName
        try take(try edited([file: [.remove(propertyAt: offset)]]), editing: name) { $0 == name }
        noteMentions(of: target.name, nil)
    }

    /// Says where code has the name of a property still, which the compiler will tell.
    mutating func noteMentions(of name: String, _ now: String?) {
        var places: [String] = []
        for source in sources {
            guard source.bytes.firstRange(of: Array(name.utf8)) != nil,
                let offsets = try? mentions(of: name, in: source)
            else { continue }
            places += offsets.map { offset in
                let line = source.bytes[..<offset].count { $0 == 0x0A } + 1
                return "\(source.path):\(line)"
            }
        }
        guard let first = places.first else { return }
        let more = places.count > 1 ? " and \(places.count - 1) more" : ""
        let advice = now.map { "; where it is the property, write \($0)" } ?? ""
        tasks.append("code names '\(name)' at \(first)\(more)\(advice)")
    }
}

extension SwiftSource {
    /// Whether a class of a model may be in it.
    var mayDeclareModels: Bool { bytes.firstRange(of: Array("@Model".utf8)) != nil }
}
