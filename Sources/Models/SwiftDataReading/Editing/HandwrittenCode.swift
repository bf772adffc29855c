/// Names the handwritten parts of a Swift file that a replacement would not hold, such as
/// `SchemaV2.Book.apply(media:)`, in file order.
///
/// These are types, functions, computed and static properties, type aliases and conformances, and initializers that do
/// more than set properties. Stored properties are not listed: the model determines them.
package func handwrittenCode(
    in old: SwiftSource,
    missingFrom new: SwiftSource
) throws(SwiftEditFault) -> [String] {
    #if SwiftData
        let before = try withSyntax(of: old) { file throws(SwiftEditFault) in file.codeInventory }
        let after = try withSyntax(of: new) { file throws(SwiftEditFault) in file.codeInventory }
        return before.missing(from: after)
    #else
        throw SwiftEditFault(
            "this build cannot read Swift sources; build it with the trait SwiftData"
        )
    #endif
}

#if SwiftData
    internal import SwiftSyntax

    private struct CodeInventory: Sendable {
        struct Member: Sendable {
            /// The enclosing types; empty for none.
            var owner: String
            var name: String
            /// Whether only a person writes it.
            var isByHand: Bool
            /// Whether a declaration of the same name cannot replace it.
            var isIrreplaceable = false

            var path: String { owner.isEmpty ? name : "\(owner).\(name)" }
        }

        var types: [String] = []
        var members: [Member] = []

        func missing(from new: CodeInventory) -> [String] {
            let known = Set(new.types)
            let gone = types.filter { !known.contains($0) }
            func isGone(_ type: String) -> Bool {
                gone.contains { type == $0 || type.hasPrefix($0 + ".") }
            }
            let others = Set(new.members.map(\.path))
            let names = members.filter { member in
                member.isByHand && (member.isIrreplaceable || !others.contains(member.path))
                    && !isGone(member.owner)
            }.map(\.path)
            let outer = gone.filter { type in !gone.contains { type.hasPrefix($0 + ".") } }
            return outer + names
        }
    }

    extension SwiftFileEditor {
        fileprivate var codeInventory: CodeInventory {
            var inventory = CodeInventory()
            inventory.collect(tree.statements)
            return inventory
        }
    }

    extension CodeInventory {
        fileprivate mutating func collect(_ statements: CodeBlockItemListSyntax) {
            for statement in statements {
                if let declaration = statement.item.as(DeclSyntax.self) {
                    collect(declaration, in: "")
                }
            }
        }

        private mutating func collect(_ members: MemberBlockItemListSyntax, in owner: String) {
            for member in members { collect(member.decl, in: owner) }
        }

        private mutating func collect(_ declaration: DeclSyntax, in owner: String) {
            if let condition = declaration.as(IfConfigDeclSyntax.self) {
                for clause in condition.clauses {
                    switch clause.elements {
                    case .statements(let statements): collect(statements)
                    case .decls(let members): collect(members, in: owner)
                    default: break
                    }
                }
            } else if let part = declaration.as(ExtensionDeclSyntax.self) {
                let type = part.extendedType.trimmedDescription
                if let list = part.inheritanceClause {
                    let name = "extension \(type)\(list.trimmedDescription)"
                    members.append(Member(owner: "", name: name, isByHand: true))
                }
                collect(part.memberBlock.members, in: type)
            } else if let group = declaration.asProtocol((any DeclGroupSyntax).self),
                let named = declaration.asProtocol((any NamedDeclSyntax).self)
            {
                let path = (owner.isEmpty ? "" : owner + ".") + named.name.plainText
                types.append(path)
                collect(group.memberBlock.members, in: path)
            } else {
                members += Self.members(declaration).map { member in
                    var member = member
                    member.owner = owner
                    return member
                }
            }
        }

        private static func members(_ declaration: DeclSyntax) -> [Member] {
            if let function = declaration.as(FunctionDeclSyntax.self) {
                let labels = labels(function.signature)
                return [Member(owner: "", name: function.name.plainText + labels, isByHand: true)]
            }
            if let initializer = declaration.as(InitializerDeclSyntax.self) {
                let name = "init" + labels(initializer.signature)
                let isByHand = !initializer.onlyAssigns
                return [
                    Member(owner: "", name: name, isByHand: isByHand, isIrreplaceable: isByHand)
                ]
            }
            if let alias = declaration.as(TypeAliasDeclSyntax.self) {
                return [Member(owner: "", name: alias.name.plainText, isByHand: true)]
            }
            if declaration.is(SubscriptDeclSyntax.self) {
                return [Member(owner: "", name: "subscript", isByHand: true)]
            }
            guard let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
            let isOfType = variable.modifiers.contains {
                ["static", "class"].contains($0.name.text)
            }
            let isTransient = variable.attributes.contains {
                $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "Transient"
            }
            return variable.bindings.compactMap { binding in
                guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
                    return nil
                }
                let isByHand = isOfType || isTransient || binding.accessorBlock != nil
                return Member(owner: "", name: pattern.identifier.plainText, isByHand: isByHand)
            }
        }

        private static func labels(_ signature: FunctionSignatureSyntax) -> String {
            let labels = signature.parameterClause.parameters.map { $0.firstName.text + ":" }
            return "(\(labels.joined()))"
        }
    }

    extension InitializerDeclSyntax {
        /// Whether it only assigns its parameters to properties.
        fileprivate var onlyAssigns: Bool {
            let names = Set(
                signature.parameterClause.parameters.map { ($0.secondName ?? $0.firstName).text }
            )
            return (body?.statements ?? []).allSatisfy { statement in
                let words = statement.item.trimmedDescription.split(whereSeparator: \.isWhitespace)
                guard words.count == 3, words[1] == "=" else { return false }
                let name = words[0].hasPrefix("self.") ? words[0].dropFirst(5) : words[0]
                return name == words[2] && names.contains(String(name))
            }
        }
    }
#endif
