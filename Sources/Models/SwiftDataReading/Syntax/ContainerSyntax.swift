#if SwiftData
    import Essentials
    internal import SwiftSyntax

    extension SyntaxReader {
        /// Reads the calls that open a container: `ModelContainer(for: …)` and `.modelContainer(for: …)`.
        ///
        /// The tree is walked only where the bytes name one.
        func containers(in tree: SourceFileSyntax) -> [ContainerUse] {
            guard bytes.firstRange(of: Array("odelContainer".utf8)) != nil else { return [] }
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
                        isTemporary: isInMemory(call, isSure: false),
                        isPreview: isInMemory(call, isSure: true),
                        conditions: conditions(around: Syntax(call)),
                        types: types(around: Syntax(call)),
                        place: place(token)
                    )
                )
            }
            return uses
        }

        private func call(of token: TokenSyntax) -> FunctionCallExprSyntax? {
            var node = token.parent
            for _ in 0..<4 {
                if let call = node?.as(FunctionCallExprSyntax.self) {
                    var function = call.calledExpression
                    if let member = function.as(MemberAccessExprSyntax.self),
                        let base = member.base,
                        member.declName.baseName.text == "init"
                    {
                        function = base
                    }
                    return function.endPositionBeforeTrailingTrivia
                        == token.endPositionBeforeTrailingTrivia ? call : nil
                }
                node = node?.parent
            }
            return nil
        }

        /// Replaces the name of a local variable by its value.
        private func followed(
            _ value: Expression,
            from node: Syntax,
            depth: Int = 0
        ) -> Expression {
            var value = value
            for _ in 0..<4 {
                guard depth < 8, case .name(let name, let types) = value, types.isEmpty,
                    let found = local(name, from: node)
                else { break }
                value = expression(found)
            }
            func valued(_ value: Expression) -> Expression {
                switch value {
                case .name(let name, _): local(name, from: node).map(expression) ?? value
                case .operators(let values, let signs): .operators(values.map(valued), signs)
                default: value
                }
            }
            switch value {
            case .array(let values):
                return .array(values.map { followed($0, from: node, depth: depth + 1) })
            case .call(let function, let arguments):
                let known = arguments.map { ($0.label, valued($0.value)) }
                return .call(function, known.map { .init(label: $0, value: $1) })
            default: return valued(value)
            }
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

        /// Whether a container is only in memory, or may be: a variable may be true.
        private func isInMemory(_ call: FunctionCallExprSyntax, isSure: Bool) -> Bool {
            if isInMemory(Syntax(call.arguments), isSure) { return true }
            return call.arguments.contains { argument in
                let names = argument.expression.tokens(viewMode: .sourceAccurate).compactMap {
                    token -> String? in
                    if case .identifier = token.tokenKind { token.plainText } else { nil }
                }
                return names.prefix(20).contains { name in
                    local(name, from: Syntax(call)).map { isInMemory(Syntax($0), isSure) } ?? false
                }
            }
        }

        private func isInMemory(_ node: Syntax, _ isSure: Bool) -> Bool {
            let tokens = Array(node.tokens(viewMode: .sourceAccurate).prefix(2_000))
            let isChosen = tokens.contains { $0.tokenKind == .infixQuestionMark }
            return tokens.indices.contains { place in
                let name = tokens[place].text
                guard name == "isStoredInMemoryOnly" || name == "inMemory", place + 2 < tokens.count
                else { return false }
                let value = tokens[place + 2].text
                return isSure ? value == "true" && !isChosen : value != "false"
            }
        }

        /// The conditions that hold where a node is compiled, of `#if` and against those before it.
        private func conditions(around node: Syntax) -> [Condition] {
            var found: [Condition] = []
            var node: Syntax? = node
            while let current = node {
                if let clause = current.as(IfConfigClauseSyntax.self),
                    let clauses = clause.parent?.as(IfConfigClauseListSyntax.self)
                {
                    let before = clauses.prefix { $0.id != clause.id }.compactMap(condition)
                    found += before.map { .not($0) } + [condition(of: clause)].compactMap(\.self)
                }
                node = current.parent
            }
            return found
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
