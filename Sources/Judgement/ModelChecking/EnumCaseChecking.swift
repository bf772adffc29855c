package import Diagnostics
package import MigrationPlanning
import ModelDiffing
package import ObjectModel

/// Finds enum values that a step leaves without a case, and changes of values that are kept as data.
///
/// Where custom stages run code in the step, that may give rows the new raw value of their case.
package func enumFindings(
    from old: ModelVersion,
    to new: ModelVersion,
    severity: Severity = .warning,
    agreement: @autoclosure () -> LossAgreement = .none,
    isCoded: Bool = false
) -> [Finding] {
    removedCases(from: old.model, to: new.model).map { gone in
        Diagnostic(
            "enum-case-removed",
            gone.message,
            severity: isCoded && gone.successor != nil ? .note : severity,
            at: gone.source.element ?? new.elementLocation,
            element: "\(gone.entity).\(gone.property)"
        ).finding(of: new.name)
    } + encodedFindings(from: old, to: new, severity: severity)
        + missingSwiftValues(from: old.model, to: new.model).filter {
            !agreement().covers([$0.name])
        }
        .map { missing in
            Diagnostic(
                Rule.missingSwiftValue.id,
                "\(missing.name): existing rows have NULL, but the property is not optional in Swift: the app crashes "
                    + "when it reads one; make it optional, or fill it in a custom stage",
                severity: severity,
                at: missing.source.element ?? new.elementLocation,
                element: missing.name
            ).finding(of: new.name)
        }
}

/// Finds enum values of a locked version without a case now, and changes of values that are kept as data.
func enumFindings(
    of locked: ModelLock.Version,
    _ version: ModelVersion,
    _ path: String
) -> [Finding] {
    var findings: [Finding] = []
    for entity in locked.entities where !entity.cases.isEmpty {
        guard let now = version.model.entities.first(where: { $0.name == entity.name }) else {
            continue
        }
        for attribute in now.attributes {
            for element in attribute.enumCases.paths {
                let property = attribute.name.joined(element)
                guard let cases = attribute.enumCases[element] else { continue }
                let values = Set(cases.map(\.text))
                let place = FileLocation(path: path, line: entity.line)
                findings += entity.cases.filter {
                    $0.property == property && !values.contains($0.value)
                }.map { gone in
                    Diagnostic(
                        "enum-case-removed",
                        "\(entity.name).\(property): the case with the raw value '\(gone.value)', which "
                            + "'\(locked.name)' shipped, was removed: the app crashes when it reads a row that holds it",
                        severity: .warning,
                        at: attribute.source.element ?? version.elementLocation,
                        element: "\(entity.name).\(property)",
                        notes: [Diagnostic.Note("it is locked here", at: place)]
                    ).finding(of: version.name)
                }
            }
        }
    }
    return findings + encodedFindings(of: locked, version, path)
}

extension Entity {
    /// The raw values of its enums, in the order of a lock: by attribute and case.
    var lockedCases: [ModelLock.EnumValue] {
        attributes.sorted { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
            .flatMap { attribute in
                attribute.enumCases.paths.flatMap { path in
                    (attribute.enumCases[path] ?? []).map {
                        ModelLock.EnumValue(property: attribute.name.joined(path), value: $0.text)
                    }
                }
            }
    }
}

extension String {
    /// The name of an attribute with that of an element; the only element of an enum has the name of the attribute.
    fileprivate func joined(_ path: [String]) -> String {
        path == [self] ? self : followed(by: path.joined(separator: "."))
    }
}

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
