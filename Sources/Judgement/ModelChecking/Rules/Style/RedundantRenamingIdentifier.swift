import Diagnostics
import ModelEditing
import ObjectModel

extension Rule {
    static let redundantRenamingIdentifier = Rule(
        .named("redundant-renaming-identifier", .style, .note),
        summary: "Renaming identifiers differ from the name",
        rationale: """
            An item without a renaming identifier is matched by its name; an identifier equal to the name has no \
            effect.
            """,
        passing: "<entity name='A' elementID='B'/>",
        failing: "<entity name='A' ◀elementID='A'/>",
        fix: .keepingHash("removes the identifier"),
        check: .model { model in
            model.forEachIdentified { name, identifier, source, element in
                guard identifier == name, source.has("elementID") else { return nil }
                return Violation(
                    "remove the renaming identifier of '\(name)': it equals the name",
                    at: source.location(of: "elementID"),
                    element: element,
                    fix: Fix("remove elementID", at: source.element, .tag(.remove("elementID")))
                )
            }
        }
    )
}
