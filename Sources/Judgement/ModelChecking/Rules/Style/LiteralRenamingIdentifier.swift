import Diagnostics
import ModelEditing
import ObjectModel

extension Rule {
    static let literalRenamingIdentifier = Rule(
        .named("literal-renaming-identifier", .style, .error),
        summary: "Renaming identifiers are written as `elementID`",
        rationale: """
            Xcode writes a renaming identifier as `elementID`, and that is what Apple's compiler reads. A literal \
            `renamingIdentifier` attribute, seen in files made by hand, has no effect: a rename that relies on it \
            loses the data, and momtool says so. `--fix` turns it into `elementID`. Beside an `elementID` it is a \
            note, as it is if the previous version has the same name: nothing is renamed there, and `--fix` removes \
            the attribute.
            """,
        passing:
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='b'/></entity>",
        failing:
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String' ◀renamingIdentifier='b'/></entity>",
        fix: .keepingHash("writes it as `elementID`; beside one it is removed"),
        check: .model { model in
            model.forEach(with: "renamingIdentifier") { name, source, element in
                let place = source.location(of: "renamingIdentifier")
                let hasElementID = source.has("elementID")
                return Violation(
                    "write the renaming identifier of '\(name)' as elementID",
                    at: place,
                    element: element,
                    fix: Fix(
                        hasElementID
                            ? "remove renamingIdentifier"
                            : "rename renamingIdentifier to elementID",
                        at: source.element,
                        hasElementID
                            ? .tag(.remove("renamingIdentifier"))
                            : .tag(.rename("renamingIdentifier", to: "elementID"))
                    ),
                    severity: hasElementID ? .note : nil
                )
            }
        }
    )
}

extension Finding {
    /// The finding where the version before is known: an element with its name there was never renamed, so that an
    /// identifier with effect would lose its values.
    func knowing(_ before: ModelVersion) -> Finding {
        guard diagnostic.rule == Rule.literalRenamingIdentifier.id, let name = diagnostic.element,
            let change = fix?.changes.first, case .tag(.rename) = change.edit, before.has(name)
        else { return self }
        var finding = self
        finding.diagnostic.severity = .note
        finding.diagnostic.message =
            "remove the literal renamingIdentifier of '\(name)': it has no effect, and '\(before.name)' has the same name"
        finding.fix = Fix(
            "remove renamingIdentifier",
            at: change.location,
            .tag(.remove("renamingIdentifier"))
        )
        return finding
    }
}

extension ModelVersion {
    /// Whether an entity, or a property such as `Stop.label`, is here.
    fileprivate func has(_ name: String) -> Bool {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard let first = parts.first,
            let entity = model.entities.first(where: { $0.name == first })
        else { return false }
        guard parts.count > 1 else { return true }
        return entity.attributes.contains { $0.name == parts[1] }
            || entity.relationships.contains { $0.name == parts[1] }
    }
}
