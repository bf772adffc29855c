import Testing

extension HouseRuleTests {
    struct Convention: Sendable, CustomTestStringConvertible {
        var subject: String
        var condition: String
        var keeps: [String]
        var breaks: [String]
        var rest: String
        var testDescription: String { condition }

        var text: String {
            func list(_ versions: [String]) -> String {
                "[[" + versions.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
                    + "]]"
            }
            return """
                rules:
                  - id: acme-convention
                    for: \(subject)
                    when: "\(condition.replacing("\\", with: "\\\\"))"
                    message: "{name} is against the convention"
                    passes: \(list(keeps))
                    fails: \(list(breaks))
                    \(rest)

                """
        }
    }

    static func attribute(_ name: String, _ rest: String = "attributeType='String'")
        -> String
    {
        "<attribute name='\(name)' optional='YES' \(rest)/>"
    }

    static func entity(_ name: String, _ body: String = "", _ rest: String = "") -> String {
        "<entity name='\(name)' \(rest)>\(body)</entity>"
    }

    private static func relationship(_ name: String, _ rest: String) -> String {
        "<relationship name='\(name)' optional='YES' destinationEntity='B' inverseName='a' inverseEntity='B' \(rest)/>"
    }

    private static let other =
        "<entity name='B'><relationship name='a' optional='YES' maxCount='1' deletionRule='Nullify' destinationEntity='A' inverseName='b' inverseEntity='A'/></entity>"

    static let conventions = rows.map {
        Convention(subject: $0, condition: $1, keeps: $2, breaks: $3, rest: $4)
    }

    /// Conventions: what they are for, their condition, versions that keep it, versions that break it, and what else.
    private static let rows: [(String, String, [String], [String], String)] = [
        (
            "attribute", "type == 'Binary' AND externalStorage == NO",
            [
                entity(
                    "A",
                    attribute("a", "attributeType='Binary' allowsExternalBinaryDataStorage='YES'")
                )
            ],
            [entity("A", attribute("a", "attributeType='Binary'"))], ""
        ),
        (
            "attribute", "type == 'Transformable' AND transformer == NULL",
            [entity("A", attribute("a", "attributeType='Transformable' valueTransformerName='T'"))],
            [entity("A", attribute("a", "attributeType='Transformable'"))], ""
        ),
        (
            "attribute", "NOT name MATCHES '[a-z][A-Za-z0-9]*'", [entity("A", attribute("aB1"))],
            [entity("A", attribute("a_b"))], ""
        ),
        (
            "entity", "NOT name MATCHES '[A-Z][A-Za-z0-9]*'", [entity("Order")],
            [entity("order_line")], ""
        ),
        ("entity", "NOT name BEGINSWITH 'CD'", [entity("CDOrder")], [entity("Order")], ""),
        (
            "attribute", "name BEGINSWITH 'is' AND type != 'Boolean'",
            [entity("A", attribute("isNew", "attributeType='Boolean'"))],
            [entity("A", attribute("isNew"))], ""
        ),
        (
            "attribute", "(name ENDSWITH 'Date' OR name ENDSWITH 'At') AND type != 'Date'",
            [entity("A", attribute("createdAt", "attributeType='Date'"))],
            [entity("A", attribute("createdAt"))], ""
        ),
        (
            "entity", "abstract == NO AND NOT 'uuid' IN attributes.name",
            [entity("A", attribute("uuid", "attributeType='UUID'"))],
            [entity("A", attribute("id"))], ""
        ),
        (
            "entity", "attributes.@count + relationships.@count > 3", [entity("A", attribute("a"))],
            [entity("A", attribute("a") + attribute("b") + attribute("c") + attribute("d"))], ""
        ),
        (
            "entity", "className == NULL OR NOT className ENDSWITH 'MO'",
            [entity("A", "", "representedClassName='OrderMO'")],
            [entity("A", "", "representedClassName='Order'")], ""
        ),
        (
            "entity", "parent != NULL AND parent.abstract == NO",
            [entity("A", "", "isAbstract='YES'") + entity("C", "", "parentEntity='A'")],
            [entity("A") + entity("C", "", "parentEntity='A'")], ""
        ),
        (
            "entity", "constraints.@count == 0",
            [
                entity(
                    "A",
                    attribute("a")
                        + "<uniquenessConstraints><uniquenessConstraint><constraint value='a'/></uniquenessConstraint></uniquenessConstraints>"
                )
            ],
            [entity("A", attribute("a"))], ""
        ),
        (
            "relationship", "inverse == NULL",
            [entity("A", relationship("b", "toMany='YES' deletionRule='Cascade'")) + other],
            [
                entity(
                    "A",
                    "<relationship name='b' optional='YES' maxCount='1' deletionRule='Nullify' destinationEntity='A'/>"
                )
            ],
            ""
        ),
        (
            "relationship", "deleteRule IN {'Deny', 'No Action'}",
            [entity("A", relationship("b", "toMany='YES' deletionRule='Cascade'")) + other],
            [entity("A", relationship("b", "toMany='YES' deletionRule='Deny'")) + other], ""
        ),
        (
            "relationship", "deleteRule == 'Cascade' AND inverse.deleteRule == 'Cascade'",
            [entity("A", relationship("b", "toMany='YES' deletionRule='Cascade'")) + other],
            [
                entity("A", relationship("b", "toMany='YES' deletionRule='Cascade'"))
                    + other.replacing("Nullify", with: "Cascade")
            ],
            ""
        ),
        (
            "relationship", "toMany == YES AND NOT name ENDSWITH 's'",
            [
                entity("A", relationship("items", "toMany='YES' deletionRule='Nullify'"))
                    + other.replacing("inverseName='b'", with: "inverseName='items'")
            ],
            [entity("A", relationship("b", "toMany='YES' deletionRule='Nullify'")) + other], ""
        ),
        (
            "attribute", "optional == NO AND defaultValue == NULL",
            [entity("A", "<attribute name='a' attributeType='String' defaultValueString='x'/>")],
            [entity("A", "<attribute name='a' attributeType='String'/>")], ""
        ),
        (
            "attribute", "name CONTAINS[c] 'email' AND userInfo.privacy == NULL",
            [
                entity(
                    "A",
                    "<attribute name='eMail' optional='YES' attributeType='String'><userInfo><entry key='privacy' value='personal'/></userInfo></attribute>"
                )
            ],
            [entity("A", attribute("eMail"))], ""
        ),
        (
            "index", "elements.@count > 2",
            [
                entity(
                    "A",
                    attribute("a")
                        + "<fetchIndex name='i'><fetchIndexElement property='a' type='Binary' order='ascending'/></fetchIndex>"
                )
            ],
            [
                entity(
                    "A",
                    attribute("a") + attribute("b") + attribute("c")
                        + "<fetchIndex name='i'>"
                        + ["a", "b", "c"].map {
                            "<fetchIndexElement property='\($0)' type='Binary' order='ascending'/>"
                        }.joined() + "</fetchIndex>"
                )
            ],
            ""
        ),
        (
            "version",
            "SUBQUERY(entities, $e, $e.abstract == NO AND ANY $e.attributes.type == 'Binary').@count > 1",
            [entity("A", attribute("a", "attributeType='Binary'"))],
            [
                entity("A", attribute("a", "attributeType='Binary'"))
                    + entity("C", attribute("a", "attributeType='Binary'"))
            ],
            ""
        ),
        (
            "change",
            "verdict == 'loses-data' AND subject == 'attribute' AND NOT from.name BEGINSWITH 'tmp'",
            [entity("A", attribute("a") + attribute("tmpB")), entity("A", attribute("a"))],
            [entity("A", attribute("a") + attribute("b")), entity("A", attribute("a"))], ""
        ),
        (
            "attribute", "optional == NO",
            [
                entity("A", "<attribute name='a' attributeType='String' defaultValueString=''/>"),
                entity(
                    "A",
                    "<attribute name='a' attributeType='String' defaultValueString=''/>"
                        + attribute("b")
                ),
            ],
            [
                entity("A", attribute("a")),
                entity(
                    "A",
                    attribute("a")
                        + "<attribute name='b' attributeType='String' defaultValueString=''/>"
                ),
            ],
            "applies: new"
        ),
    ]
}
