#if SwiftData
    internal import SwiftSyntax

    extension SwiftFileEditor {
        /// Writes the inverse of a relationship into its `@Relationship`, which is made where there is none.
        mutating func write(inverse path: String, ofPropertyAt offset: Int) throws(SwiftEditFault) {
            let variable = try property(at: offset)
            let attribute = variable.attributes.compactMap { $0.as(AttributeSyntax.self) }
                .first { $0.nameWithoutModule == "Relationship" }
            let argument = "inverse: \(path)"
            guard let attribute else {
                let start = variable.bytes.lowerBound
                return replace(start..<start, with: "@Relationship(\(argument)) ")
            }
            add(argument, to: attribute)
        }

        private mutating func add(_ argument: String, to attribute: AttributeSyntax) {
            guard case .argumentList(let list)? = attribute.arguments, let last = list.last else {
                if let paren = attribute.leftParen {
                    return replace(paren.bytes.upperBound..<paren.bytes.upperBound, with: argument)
                }
                let end = attribute.bytes.upperBound
                return replace(end..<end, with: "(\(argument))")
            }
            if let next = list.first(where: { $0.label?.text == "hashModifier" }) {
                let start = next.bytes.lowerBound
                return replace(start..<start, with: argument + ", ")
            }
            let end = last.expression.bytes.upperBound
            replace(end..<end, with: ", " + argument)
        }

        private func property(at offset: Int) throws(SwiftEditFault) -> VariableDeclSyntax {
            guard offset < bytes.count,
                let name = tree.token(at: AbsolutePosition(utf8Offset: offset)),
                name.bytes.lowerBound == offset,
                let binding = name.parent?.as(IdentifierPatternSyntax.self)?.parent,
                let variable = binding.as(PatternBindingSyntax.self)?.parent?.parent?
                    .as(VariableDeclSyntax.self)
            else { throw SwiftEditFault("the property has moved in \(path)") }
            guard variable.bindings.count == 1 else {
                throw SwiftEditFault(
                    "'\(name.plainText)' is declared together with others; give it its own line"
                )
            }
            return variable
        }
    }

    extension AttributeSyntax {
        /// The name, such as `Relationship` even for `@SwiftData.Relationship`.
        fileprivate var nameWithoutModule: String {
            attributeName.as(MemberTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
        }
    }
#endif
