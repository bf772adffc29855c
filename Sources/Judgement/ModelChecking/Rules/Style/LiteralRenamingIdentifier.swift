import Diagnostics
import ObjectModel

extension Rule {
    /// Renaming identifiers are written as `elementID`.
    static let literalRenamingIdentifier = Rule(
        "literal-renaming-identifier",
        .style,
        .error,
        summary: "Renaming identifiers are written as `elementID`",
        rationale: """
            Xcode writes a renaming identifier as `elementID`, and that is what Apple's \
            compiler reads. A literal `renamingIdentifier` attribute, seen in files made by \
            hand, counts nowhere: a rename by it loses the data, and momtool says so. \
            `--fix` turns it into `elementID`. Beside an `elementID` it is a note.
            """,
        passing: [
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='b'/></entity>
            """
        ],
        failing: [
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String' ◀renamingIdentifier='b'/></entity>
            """
        ],
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
                            ? .remove(attribute: "renamingIdentifier")
                            : .rename(attribute: "renamingIdentifier", to: "elementID")
                    ),
                    severity: hasElementID ? .note : nil
                )
            }
        }
    )
}
