import Diagnostics
import ModelDiffing
import ObjectModel

func encodedFindings(
    from old: ModelVersion,
    to new: ModelVersion,
    severity: Severity
) -> [Finding] {
    let entities = Dictionary(firstOf: old.model.entities.map { ($0.name, $0) })
    return new.model.entities.flatMap { entity -> [Finding] in
        guard let before = entities[entity.matchingIdentifier] else { return [] }
        return entity.attributes.flatMap { attribute -> [Finding] in
            let name = attribute.matchingIdentifier
            guard !attribute.encodedMembers.isEmpty,
                let origin = before.attributes.first(where: { $0.name == name })
            else { return [] }
            let changes = encodedChanges(
                from: origin.encodedMembers(named: attribute.name),
                to: attribute.encodedMembers()
            )
            return changes.map { finding($0, entity, attribute, new, severity) }
        }
    }
}

/// Finds changes since a version was locked in values that it keeps as data.
func encodedFindings(
    of locked: ModelLock.Version,
    _ version: ModelVersion,
    _ path: String
) -> [Finding] {
    locked.entities.filter { !$0.encoded.isEmpty }.flatMap { entity -> [Finding] in
        guard let now = version.model.entities.first(where: { $0.name == entity.name }) else {
            return []
        }
        return now.attributes.flatMap { attribute -> [Finding] in
            let members = attribute.encodedMembers()
            guard !members.isEmpty else { return [] }
            return encodedChanges(from: entity.encoded, to: members).filter {
                $0.name == attribute.name || $0.name.hasPrefix(attribute.name + "[")
                    || $0.name.hasPrefix(attribute.name + ".")
            }.map { change in
                var finding = finding(change, now, attribute, version, .warning)
                finding.diagnostic.message += "; '\(locked.name)' shipped with the old form"
                let place = FileLocation(path: path, line: entity.line)
                finding.diagnostic.notes = [Diagnostic.Note("it is locked here", at: place)]
                return finding
            }
        }
    }
}

private func finding(
    _ change: EncodedChange,
    _ entity: Entity,
    _ attribute: Attribute,
    _ version: ModelVersion,
    _ severity: Severity
) -> Finding {
    Diagnostic(
        "encoded-value-changed",
        "\(entity.name).\(change.name): \(change.message)",
        severity: severity,
        at: attribute.source.element ?? version.elementLocation,
        element: "\(entity.name).\(attribute.name)"
    ).finding(of: version.name)
}

extension Entity {
    /// The values that its attributes keep as data, in the order of a lock: by attribute.
    var lockedEncoding: [EncodedShape.Member] {
        attributes.sorted { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
            .flatMap { $0.encodedMembers() }
    }
}
