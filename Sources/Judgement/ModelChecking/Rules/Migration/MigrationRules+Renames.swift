import Diagnostics
import MappingInference
import ModelDiffing
import ModelEditing
import ObjectModel

extension Rule {
    static let ambiguousRenamingIdentifier = Rule(
        .named("ambiguous-renaming-identifier", .migration, .warning),
        summary: "Each renaming identifier is used once",
        rationale: """
            Two items of one version continue the same item of the previous version: Core Data matches only one of \
            them, and the other starts empty. Transient properties have no values and do not count. If it can no \
            longer be changed, `claimants: [Person.name]` in `.momtool.yml` says which one was renamed.
            """,
        passing:
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/></entity>",
        failing: """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/>
            <attribute name='b' optional='YES' attributeType='String' ◀elementID='z'/></entity>
            """,
        check: .model { model in
            var entities: [String: Entity] = [:]
            var violations: [Violation] = []
            for (entity, list) in zip(model.entities, model.properties) {
                if let other = entities.updateValue(entity, forKey: entity.matchingIdentifier),
                    other.name != entity.name
                {
                    violations.append(
                        clash(entity.name, other.name, entity.matchingIdentifier, entity.source)
                    )
                }
                // Names differ; only identifiers clash.
                guard list.contains(where: { $0.renamingIdentifier != nil }) else { continue }
                var properties: [String: String] = [:]
                // Transient properties have no values that another could lose.
                for property in list where !property.isTransient {
                    let identifier = property.matchingIdentifier
                    guard let other = properties.updateValue(property.name, forKey: identifier),
                        other != property.name
                    else { continue }
                    let path = "\(entity.name).\(property.name)"
                    violations.append(clash(path, other, identifier, property.source))
                }
            }
            return violations
        }
    )

    static let missingRenamingIdentifier = Rule(
        .named("missing-renaming-identifier", .migration, .error),
        summary: "Renaming identifiers are kept in later versions",
        rationale: """
            A renamed item keeps its renaming identifier permanently: it matches the next version, and also a direct \
            step from the oldest version to the newest.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/></entity>",
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/></entity>",
            """
            <entity name='A'>◀<attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """
        ),
        isAnsweredByMapping: true,
        fix: .keepingHash("sets the identifier again, if nothing else has it"),
        check: .step { step in
            step.diff.suspicions.filter(\.hasLostIdentifier).map { $0.violation(in: step) }
        }
    )

    static let oldNameTaken = Rule(
        .named("old-name-taken", .migration, .warning),
        summary: "No new property takes the values of a renamed one",
        rationale: """
            A renaming identifier stays after the rename, as it matches later versions. A new property with the old \
            name then continues the renamed one, which begins empty. Keep the identifier on the renamed property, and \
            give the new one its own identifier.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='b' optional='YES' attributeType='String' elementID='a'/></entity>",
            """
            <entity name='A'><attribute name='b' optional='YES' attributeType='String' elementID='a'/>
            <attribute name='a' optional='YES' attributeType='String' elementID='a2'/></entity>
            """
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='b' optional='YES' attributeType='String' elementID='a'/></entity>",
            """
            <entity name='A'>◀<attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """
        ),
        check: .step { step in
            let old = Dictionary(
                firstOf: step.from.model.entities.map { ($0.matchingIdentifier, $0) }
            )
            return step.to.model.entities.flatMap { entity -> [Violation] in
                guard let before = old[entity.matchingIdentifier] else { return [] }
                return takers(in: entity, of: before)
            }
        }
    )

    static let staleRenamingIdentifier = Rule(
        .named("stale-renaming-identifier", .migration, .error),
        summary: "Renaming identifiers name something in the previous version",
        rationale: """
            The names are equal but the identifiers are not: Core Data matches by identifiers, treats the item as new \
            and drops the data of the old one.
            """,
        passing: .attributeAdded,
        failing: RuleExample(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>",
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String' ◀elementID='z'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            """
        ),
        isAnsweredByMapping: true,
        fix: .keepingHash("removes the identifier, if nothing else has the old name"),
        check: .step { step in
            step.diff.suspicions.filter { $0.ground == .staleIdentifier && $0.elementID == $0.from }
                .map { $0.violation(in: step) }
        }
    )

    static let undeclaredRename = Rule(
        .named("undeclared-rename", .migration, .error),
        summary: "Renamed items have a renaming identifier",
        rationale: """
            Something was removed and something similar was added. Without a renaming identifier Core Data drops the \
            old one with its data and adds the new one. Set the identifier if it is a rename, which `momtool lint \
            --fix` does; otherwise allow the loss for the version under `losses` in `.momtool.yml`. A SwiftData class \
            must keep its name, or a custom stage must move its objects: SwiftData cannot rename a class.
            """,
        passing: RuleExample(
            "<entity name='A'><attribute name='userName' optional='YES' attributeType='String'/></entity>",
            "<entity name='A'><attribute name='username' optional='YES' attributeType='String' elementID='userName'/></entity>"
        ),
        failing: RuleExample(
            "<entity name='A'><attribute name='userName' optional='YES' attributeType='String'/></entity>",
            "<entity name='A'>◀<attribute name='username' optional='YES' attributeType='String'/></entity>"
        ),
        isAnsweredByMapping: true,
        fix: .keepingHash("sets the identifier, if there is one candidate on each side"),
        check: .step { step in
            // The other spelling has a rule of its own.
            let suspicions = step.diff.suspicions.filter {
                $0.ground.asksForIdentifier && !$0.toSource.has("renamingIdentifier")
            }
            var seen: Set<String> = []
            return suspicions.compactMap { suspicion in
                guard let loss = step.loss(behind: suspicion),
                    seen.insert(
                        "\(loss.name) \(suspicion.toSource.element.map(String.init(describing:)) ?? "")"
                    ).inserted
                else { return nil }
                let diagnostic = suspicion.diagnostic
                let explained = step.losses(explainedBy: suspicion)
                var violation = Violation(
                    diagnostic.wording,
                    at: diagnostic.location,
                    element: diagnostic.element,
                    notes: diagnostic.notes + suspicion.cures(in: step.to, explained)
                        + [loss.advice(for: step.to, step.ledger)],
                    fix: identifierFix(suspicion, among: suspicions, in: step),
                    severity: step.lossSeverity,
                    loss: loss.name
                )
                violation.explained = explained
                return violation
            }
        }
    )
}

private func clash(
    _ element: String,
    _ other: String,
    _ identifier: String,
    _ source: SourceMark
) -> Violation {
    Violation(
        "give '\(element)' its own renaming identifier: '\(other)' matches '\(identifier)' too",
        at: source.location(of: "elementID"),
        element: element
    )
}

extension RenameSuspicion {
    /// Whether the later version lost a renaming identifier that the earlier one has.
    var hasLostIdentifier: Bool {
        ground == .nameInsteadOfIdentifier || ground == .staleIdentifier && elementID != from
    }

    func violation(in step: CheckedStep) -> Violation {
        let loss = step.loss(behind: self)
        return Violation(
            diagnostic.wording,
            at: diagnostic.location,
            element: diagnostic.element,
            notes: diagnostic.notes,
            fix: fixOfIdentifier(in: step.to),
            severity: loss == nil ? .note : step.lossSeverity,
            loss: loss?.name
        )
    }

    /// Sets the identifier of the old element, or removes one that is the plain name.
    ///
    /// There is none if another item of the version has that identifier: a person must decide which of the two
    /// continues the old one.
    private func fixOfIdentifier(in version: ModelVersion) -> Fix? {
        // The other spelling has a rule of its own.
        guard !version.path.hasSuffix(".swift"), !toSource.has("renamingIdentifier") else {
            return nil
        }
        let owners = version.model.entities
        let rivals =
            if let entity {
                owners.first { $0.name == entity }.map {
                    CheckedProperty.all(of: $0).filter { $0.name != to }.map(\.matchingIdentifier)
                } ?? []
            } else {
                owners.filter { $0.name != to }.map(\.matchingIdentifier)
            }
        guard !rivals.contains(elementID) else { return nil }
        return elementID == to
            ? Fix(
                "remove the renaming identifier of '\(to)'",
                at: toSource.element,
                .tag(.remove("elementID"))
            )
            : Fix(
                "set the renaming identifier of '\(to)' to '\(elementID)'",
                at: toSource.element,
                .tag(.set("elementID", elementID))
            )
    }
}

/// The matched properties, by their plain names, with renamed ones whose old names are used again.
private func takers(in entity: Entity, of before: Entity) -> [Violation] {
    CheckedProperty.all(of: before).compactMap { owner in
        guard let identifier = owner.renamingIdentifier, identifier != owner.name,
            let taker = entity.property(identifier), taker.matchingIdentifier == identifier,
            let rest = entity.property(owner.name), rest.matchingIdentifier != identifier
        else { return nil }
        let path = "\(entity.name).\(taker.name)"
        return Violation(
            "'\(path)' takes the values of '\(owner.name)', whose renaming identifier is '\(identifier)'; "
                + "'\(owner.name)' will be empty",
            at: taker.source.element,
            element: path,
            notes: [
                Diagnostic.Note(
                    "keep '\(identifier)' as its renaming identifier",
                    at: rest.source.element
                )
            ]
        )
    }
}

/// Writes the identifier, if one item was removed and only one new item can be it.
///
/// What is new in the old version may be unknown to a new one that was made from an earlier one, on another branch.
private func identifierFix(
    _ suspicion: RenameSuspicion,
    among all: [RenameSuspicion],
    in step: CheckedStep
) -> Fix? {
    let rivals = all.filter { other in
        other.kind == suspicion.kind && other.entity == suspicion.entity
            && (other.from == suspicion.from || other.to == suspicion.to)
    }
    guard rivals.count == 1, !step.to.path.hasSuffix(".swift"),
        suspicion.ground != .onlyCandidates || !step.bringsAlone(suspicion)
    else { return nil }
    var fix = Fix(
        "set the renaming identifier of '\(suspicion.to)' to '\(suspicion.elementID)'",
        at: suspicion.toSource.element,
        .tag(.add("elementID", suspicion.elementID))
    )
    fix?.isGuess = true
    return fix
}

extension RenameSuspicion {
    /// The command that declares the rename, and the other losses that it ends.
    fileprivate func cures(in version: ModelVersion, _ explained: [String]) -> [Diagnostic.Note] {
        let element = entity.map { "\($0).\(to)" } ?? to
        let command = version.editedPath.map { path in
            Diagnostic.Note(saying: "if renamed: \(.renaming(elementID, of: element, to: path))")
        }
        let names = explained.listed(most: 3)
        let rest = Diagnostic.Note("declared as a rename, nothing is lost or missing at \(names)")
        return [command].compactMap(\.self) + (explained.isEmpty || isOfClass ? [] : [rest])
    }
}

extension RenameSuspicion.Ground {
    /// Whether nothing declares the rename yet.
    var asksForIdentifier: Bool {
        switch self {
        case .similarName, .onlyCandidates, .sharedProperties: true
        case .staleIdentifier, .nameInsteadOfIdentifier: false
        }
    }
}
