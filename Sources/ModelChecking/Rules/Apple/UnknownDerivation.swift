import Diagnostics
import ObjectModel

extension Rule {
    /// Derived attributes are derived from what exists.
    static let unknownDerivation = Rule(
        "unknown-derivation",
        .apple,
        .warning,
        summary: "Derived attributes are derived from what exists",
        rationale: """
            The key path of a derivation begins at a property of the entity; one that \
            does not makes saving fail.
            """,
        passing: [
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='d' optional='YES' attributeType='String' derived='YES' derivationExpression='canonical:(a)'/></entity>
            """
        ],
        failing: [
            """
            <entity name='A'><attribute name='d' optional='YES' attributeType='String' derived='YES'
              ◀derivationExpression='canonical:(b)'/></entity>
            """
        ],
        check: .model { model in
            model.forEachAttribute { attribute, entity in
                guard let expression = attribute.derivation?.expression,
                    let name = firstKey(of: expression),
                    model.graph.property(name, of: entity) == nil
                else { return nil }
                return Violation(
                    "derive '\(attribute.name)' from a property of '\(entity.name)': it has no '\(name)'",
                    at: attribute.source.location(of: "derivationExpression"),
                    element: "\(entity.name).\(attribute.name)"
                )
            }
        }
    )
}

/// The property that an expression begins at: the first word that is no function; `nil` when there is none.
private func firstKey(of expression: String) -> String? {
    let argument = expression.split(separator: "(", maxSplits: 1).last ?? ""
    let isCall = expression.contains("(")
    let path = isCall ? argument.prefix { $0 != ")" && $0 != "," } : Substring(expression)
    let key = path.drop(while: \.isWhitespace).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return key.isEmpty || key == "self" || key == "SELF" || key.first?.isNumber ?? true
        ? nil : String(key)
}
