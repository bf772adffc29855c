import ModelHashing
import ObjectModel

/// Finds the edit from a locked property to the present one, by undoing edits until the hash is the locked one: the hash
/// does not show its input.
struct EditSearch {
    let graph: ModelGraph
    let owner: String

    struct Edit {
        var text: String
        var attribute: String
    }

    func edit(of property: any Property, from hash: String) -> Edit? {
        if let attribute = property as? Attribute {
            guard attribute.type != .composite, attribute.derivation == nil else { return nil }
            return attributeEdit(attribute, hash)
        }
        return (property as? Relationship).flatMap { countEdit($0, hash) ?? nameEdit($0, hash) }
    }

    func isRename(of property: any Property, from old: ModelLock.Property) -> Bool {
        if var attribute = property as? Attribute {
            attribute.name = old.name
            return digits(of: attribute) == old.hash
        }
        guard var relationship = property as? Relationship else { return false }
        relationship.name = old.name
        return digits(of: relationship) == old.hash
    }

    private func attributeEdit(_ attribute: Attribute, _ hash: String) -> Edit? {
        for type in AttributeType.allCases {
            for isOptional in [attribute.isOptional, !attribute.isOptional] {
                var old = attribute
                old.type = type
                old.isOptional = isOptional
                guard digits(of: old) == hash else { continue }
                let name = type.sourceName ?? "Undefined"
                let parts =
                    (type == attribute.type ? [] : ["its type was \(name)"])
                    + (isOptional == attribute.isOptional ? [] : [optionality(isOptional)])
                let key = type == attribute.type ? "optional" : "attributeType"
                return Edit(text: parts.joined(separator: ", "), attribute: key)
            }
        }
        for flag in PropertyFlag.hashed {
            var old = attribute
            old.flags[flag].toggle()
            guard digits(of: old) == hash else { continue }
            let text = "\(flag.row.words) was switched"
            return Edit(text: text, attribute: flag.row.sourceName)
        }
        var old = attribute
        old.versionHashModifier = nil
        guard digits(of: old) == hash else { return nil }
        return Edit(text: "it had no version hash modifier", attribute: "versionHashModifier")
    }

    private func countEdit(_ relationship: Relationship, _ hash: String) -> Edit? {
        for isOptional in [relationship.isOptional, !relationship.isOptional] {
            for isOrdered in [relationship.isOrdered, !relationship.isOrdered] {
                for minimum in Set([relationship.compiledMinCount, 0, 1]).sorted() {
                    for maximum in Set([relationship.compiledMaxCount, 0, 1]).sorted() {
                        var old = relationship
                        old.isOptional = isOptional
                        old.isOrdered = isOrdered
                        old.minCount = minimum
                        old.maxCount = maximum
                        guard digits(of: old) == hash else { continue }
                        return difference(old, relationship)
                    }
                }
            }
        }
        var old = relationship
        old.versionHashModifier = nil
        guard digits(of: old) == hash else { return nil }
        return Edit(text: "it had no version hash modifier", attribute: "versionHashModifier")
    }

    private func difference(_ old: Relationship, _ new: Relationship) -> Edit {
        var parts: [(text: String, attribute: String)] = []
        if old.isOptional != new.isOptional {
            parts.append((optionality(old.isOptional), "optional"))
        }
        if old.isOrdered != new.isOrdered {
            parts.append((old.isOrdered ? "it was ordered" : "it was not ordered", "ordered"))
        }
        if old.compiledMinCount != new.compiledMinCount {
            parts.append(("its minimum count was \(old.compiledMinCount)", "minCount"))
        }
        if old.compiledMaxCount != new.compiledMaxCount {
            parts.append(("its maximum count was \(old.compiledMaxCount)", "maxCount"))
        }
        return Edit(
            text: parts.map(\.text).joined(separator: ", "),
            attribute: parts.first?.attribute ?? "name"
        )
    }

    private func nameEdit(_ relationship: Relationship, _ hash: String) -> Edit? {
        for entity in graph.model.entities.prefix(Self.nameLimit) {
            var old = relationship
            old.destinationEntity = entity.name
            guard digits(of: old) == hash else { continue }
            return Edit(
                text: "its destination was '\(entity.name)'",
                attribute: "destinationEntity"
            )
        }
        var inverses: [String?] = [nil]
        inverses += graph.model.entities.lazy.flatMap(\.relationships).map(\.name)
            .prefix(Self.nameLimit)
        for inverse in inverses {
            var old = relationship
            old.inverseName = inverse
            guard digits(of: old) == hash else { continue }
            let text = inverse.map { "its inverse was '\($0)'" } ?? "it had no inverse"
            return Edit(text: text, attribute: "inverseName")
        }
        return nil
    }

    private static let nameLimit = 500

    private func optionality(_ isOptional: Bool) -> String {
        isOptional ? "it was optional" : "it was mandatory"
    }

    private func digits(of property: some Property) -> String? {
        // Neither derived nor composite ones come here, and only these need the model.
        versionHash(of: property, declaredBy: owner, in: ManagedObjectModel())
            .map { String($0.hex.prefix(16)) }
    }
}
