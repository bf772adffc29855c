#if SwiftData
    internal import SwiftSyntax

    extension SyntaxReader {
        /// Reads the variables of one declaration individually.
        func properties(_ node: VariableDeclSyntax) -> [Conditional<Declaration>] {
            let modifiers = node.modifiers.map(\.name.text)
            var result: [PropertyDeclaration] = []
            // A type holds for the names before it that have neither type nor value: `var x, y: Int`.
            var type: TypeForm?
            for binding in node.bindings.reversed() {
                if let annotation = binding.typeAnnotation {
                    type = form(annotation.type)
                } else if binding.initializer != nil {
                    type = nil
                }
                let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
                result.append(
                    PropertyDeclaration(
                        name: name?.plainText,
                        type: type,
                        value: binding.initializer.map { expression($0.value) },
                        valueText: binding.initializer.map { text($0.value) },
                        attributes: attributes(node.attributes),
                        isStatic: modifiers.contains("static") || modifiers.contains("class"),
                        isLazy: modifiers.contains("lazy"),
                        isWeak: modifiers.contains("weak") || modifiers.contains("unowned"),
                        isConstant: node.bindingSpecifier.text == "let",
                        accessors: accessors(binding.accessorBlock),
                        hasError: hasError(binding, of: node),
                        place: place(binding.pattern)
                    )
                )
            }
            return result.reversed().map { .item(.property($0)) }
        }

        private func hasError(_ binding: PatternBindingSyntax, of node: VariableDeclSyntax) -> Bool
        {
            guard node.hasError else { return false }
            return node.attributes.hasError || node.modifiers.hasError
                || node.bindingSpecifier.presence == .missing
                || binding.pattern.hasError || binding.typeAnnotation?.hasError ?? false
                || binding.initializer?.hasError ?? false
                || node.unexpectedAfterBindings != nil
                || binding.unexpectedBetweenInitializerAndAccessorBlock != nil
        }

        private func accessors(_ block: AccessorBlockSyntax?) -> PropertyDeclaration.Accessors {
            guard let block else { return .none }
            switch block.accessors {
            case .getter(let items): return .computed(statements(items))
            case .accessors(let list):
                let observers = ["willSet", "didSet"]
                let getters = list.filter { !observers.contains($0.accessorSpecifier.text) }
                guard !getters.isEmpty else { return .observers }
                let body = getters.first { $0.accessorSpecifier.text == "get" }?.body
                return .computed(body.map { statements($0.statements) } ?? [])
            }
        }

        /// Reads the body of a computed property, if it is only a value.
        private func statements(_ items: CodeBlockItemListSyntax) -> [Conditional<Statement>] {
            // Long bodies are not lists of models.
            guard items.count <= 8 else { return [.item(.other)] }
            return items.map { item in
                switch item.item {
                case .expr(let value): return .item(.value(expression(value)))
                case .stmt(let statement):
                    guard let value = statement.as(ReturnStmtSyntax.self)?.expression else {
                        return .item(.other)
                    }
                    return .item(.value(expression(value)))
                case .decl(let declaration):
                    guard depth < Self.depthLimit,
                        let choice = declaration.as(IfConfigDeclSyntax.self)
                    else { return .item(.other) }
                    return .choice(branches(choice))
                }
            }
        }

        private func branches(_ syntax: IfConfigDeclSyntax) -> [Conditional<Statement>.Branch] {
            syntax.clauses.map { clause in
                var items: [Conditional<Statement>] = [.item(.other)]
                if case .statements(let list)? = clause.elements { items = deeper.statements(list) }
                return Conditional.Branch(condition: condition(of: clause), items: items)
            }
        }

        func attributes(_ list: AttributeListSyntax) -> [Conditional<AttributeUse>] {
            list.map { element in
                switch element {
                case .attribute(let attribute): .item(use(attribute))
                case .ifConfigDecl(let choice):
                    depth >= Self.depthLimit
                        ? .choice([])
                        : .choice(
                            choice.clauses.map { clause in
                                var items: [Conditional<AttributeUse>] = []
                                if case .attributes(let list)? = clause.elements {
                                    items = deeper.attributes(list)
                                }
                                return Conditional.Branch(
                                    condition: condition(of: clause),
                                    items: items
                                )
                            }
                        )
                }
            }
        }

        private func use(_ attribute: AttributeSyntax) -> AttributeUse {
            let name = form(attribute.attributeName)
            var components: [TypeForm.Component] = []
            if case .named(let path) = name { components = path }
            var arguments: [Expression.Argument] = []
            if case .argumentList(let list)? = attribute.arguments {
                arguments = self.arguments(list)
            }
            // An argument with an error is replaced, as it changes the meaning of the attribute.
            if attribute.hasError { arguments.append(.init(label: nil, value: .other)) }
            return AttributeUse(
                name: components.last?.name ?? name.text,
                arguments: arguments,
                types: components.last?.arguments ?? [],
                place: place(attribute)
            )
        }

        func macro(_ node: some FreestandingMacroExpansionSyntax) -> AttributeUse {
            let types = node.genericArgumentClause?.arguments.map { argument -> TypeForm in
                switch argument.argument {
                case .type(let type): form(type)
                case .expr(let value): .other(text(value))
                }
            }
            return AttributeUse(
                name: node.macroName.plainText,
                arguments: arguments(node.arguments),
                types: types ?? [],
                place: place(node)
            )
        }

        func condition(of clause: IfConfigClauseSyntax) -> Condition? {
            clause.condition.map { condition($0, depth: 0) }
        }

        private func condition(_ syntax: ExprSyntax, depth: Int) -> Condition {
            guard depth < 50 else { return .unknown(text(syntax)) }
            switch syntax.as(ExprSyntaxEnum.self) {
            case .booleanLiteralExpr(let node): return .constant(node.literal.text == "true")
            case .declReferenceExpr(let node): return .flag(node.baseName.plainText)
            case .tupleExpr(let node):
                guard node.elements.count == 1, let only = node.elements.first else { break }
                return condition(only.expression, depth: depth + 1)
            case .prefixOperatorExpr(let node):
                guard node.operator.text == "!" else { break }
                return .not(condition(node.expression, depth: depth + 1))
            case .functionCallExpr(let node):
                guard let name = node.calledExpression.as(DeclReferenceExprSyntax.self) else {
                    break
                }
                return .question(name.baseName.text, text(node.arguments))
            case .sequenceExpr(let node): return sequence(Array(node.elements), depth: depth)
            default: break
            }
            return .unknown(text(syntax))
        }

        /// Reads operands joined by `&&` and `||`; `&&` binds more tightly.
        private func sequence(_ elements: [ExprSyntax], depth: Int) -> Condition {
            var alternatives: [[ExprSyntax]] = [[]]
            for (index, element) in elements.enumerated() {
                guard index.isMultiple(of: 2) else {
                    let sign = element.as(BinaryOperatorExprSyntax.self)?.operator.text
                    if sign == "||" {
                        alternatives.append([])
                    } else if sign != "&&" {
                        let whole = elements.map { text($0) }.joined(separator: " ")
                        return .unknown(whole)
                    }
                    continue
                }
                alternatives[alternatives.count - 1].append(element)
            }
            let conditions = alternatives.compactMap { terms -> Condition? in
                let conditions = terms.map { condition($0, depth: depth + 1) }
                return conditions.dropFirst().reduce(conditions.first) { left, right in
                    left.map { .all($0, right) }
                }
            }
            let joined = conditions.dropFirst().reduce(conditions.first) { left, right in
                left.map { .any($0, right) }
            }
            return joined ?? .constant(false)
        }
    }
#endif
