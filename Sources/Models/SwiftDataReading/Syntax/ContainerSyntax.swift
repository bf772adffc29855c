#if SwiftData
    import Essentials
    internal import SwiftSyntax

    extension SyntaxReader {
        /// Reads the calls that open a container: `ModelContainer(for: …)` and `.modelContainer(for: …)`.
        ///
        /// The tree is walked only where the bytes name one.
        func containers(in tree: SourceFileSyntax) -> [ContainerUse] {
            guard bytes.firstRange(of: Array("odelContainer(".utf8)) != nil else { return [] }
            var uses: [ContainerUse] = []
            for token in tree.tokens(viewMode: .sourceAccurate) {
                guard uses.count < 200, ["ModelContainer", "modelContainer"].contains(token.text),
                    let call = call(of: token),
                    let first = call.arguments.first, first.label?.text == "for"
                else { continue }
                let arguments = call.arguments.map { argument in
                    Expression.Argument(
                        label: argument.label?.text,
                        value: followed(expression(argument.expression), from: Syntax(call))
                    )
                }
                uses.append(
                    ContainerUse(
                        arguments: arguments,
                        isTemporary: isTemporary(call),
                        types: types(around: Syntax(call)),
                        place: place(token)
                    )
                )
            }
            return uses
        }

        private func call(of token: TokenSyntax) -> FunctionCallExprSyntax? {
            var node = token.parent
            for _ in 0..<3 {
                if let call = node?.as(FunctionCallExprSyntax.self) {
                    let function = call.calledExpression
                    return function.endPositionBeforeTrailingTrivia
                        == token.endPositionBeforeTrailingTrivia ? call : nil
                }
                node = node?.parent
            }
            return nil
        }

        /// Replaces the name of a local variable by its value.
        private func followed(_ value: Expression, from node: Syntax) -> Expression {
            var value = value
            for _ in 0..<4 {
                guard case .name(let name, let types) = value, types.isEmpty,
                    let found = local(name, from: node)
                else { break }
                value = expression(found)
            }
            if case .array(let values) = value {
                return .array(values.map { followed($0, from: node) })
            }
            guard case .call(let function, let arguments) = value else { return value }
            return .call(
                function,
                arguments.map { argument in
                    guard case .name(let name, _) = argument.value,
                        let found = local(name, from: node)
                    else { return argument }
                    return Expression.Argument(label: argument.label, value: expression(found))
                }
            )
        }

        /// The initial value of a variable in the functions around a node.
        private func local(_ name: String, from node: Syntax) -> ExprSyntax? {
            var node: Syntax? = node
            while let current = node {
                if let items = current.as(CodeBlockItemListSyntax.self) {
                    for item in items {
                        guard let variable = item.item.as(VariableDeclSyntax.self) else { continue }
                        for binding in variable.bindings
                        where binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
                            == name
                        { if let value = binding.initializer?.value { return value } }
                    }
                }
                node = current.parent
            }
            return nil
        }

        /// Whether a container is only in memory, as in previews.
        private func isTemporary(_ call: FunctionCallExprSyntax) -> Bool {
            if isInMemory(Syntax(call.arguments)) { return true }
            return call.arguments.contains { argument in
                let names = argument.expression.tokens(viewMode: .sourceAccurate).compactMap {
                    token -> String? in
                    if case .identifier = token.tokenKind { token.plainText } else { nil }
                }
                return names.prefix(20).contains { name in
                    local(name, from: Syntax(call)).map { isInMemory(Syntax($0)) } ?? false
                }
            }
        }

        private func isInMemory(_ node: Syntax) -> Bool {
            let tokens = Array(node.tokens(viewMode: .sourceAccurate).prefix(2_000))
            return tokens.indices.contains { place in
                let name = tokens[place].text
                guard name == "isStoredInMemoryOnly" || name == "inMemory", place + 2 < tokens.count
                else { return false }
                // A variable may be true.
                return tokens[place + 2].text != "false"
            }
        }

        /// The names of the types around a node, outermost first.
        private func types(around node: Syntax) -> [String] {
            var names: [String] = []
            var node = node.parent
            while let current = node {
                switch current.as(SyntaxEnum.self) {
                case .classDecl(let type): names.append(type.name.plainText)
                case .structDecl(let type): names.append(type.name.plainText)
                case .enumDecl(let type): names.append(type.name.plainText)
                case .actorDecl(let type): names.append(type.name.plainText)
                case .extensionDecl(let type):
                    names += (form(type.extendedType).path ?? []).reversed()
                default: break
                }
                node = current.parent
            }
            return names.reversed()
        }
    }
#endif
