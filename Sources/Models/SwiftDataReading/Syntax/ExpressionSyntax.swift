#if SwiftData
    internal import SwiftParser
    internal import SwiftSyntax

    extension SyntaxReader {
        func form(_ syntax: TypeSyntax) -> TypeForm {
            guard depth < Self.depthLimit else { return .other("…") }
            let deeper = deeper
            switch syntax.as(TypeSyntaxEnum.self) {
            case .identifierType(let node):
                return .named([deeper.component(node.name, node.genericArgumentClause)])
            case .memberType(let node):
                guard case .named(let base) = deeper.form(node.baseType) else { break }
                return .named(base + [deeper.component(node.name, node.genericArgumentClause)])
            case .optionalType(let node): return .optional(deeper.form(node.wrappedType))
            case .implicitlyUnwrappedOptionalType(let node):
                return .optional(deeper.form(node.wrappedType))
            case .attributedType(let node):
                // `@MainActor VersionedSchema` is the same protocol.
                guard
                    node.baseType.is(IdentifierTypeSyntax.self)
                        || node.baseType.is(MemberTypeSyntax.self)
                else { break }
                return deeper.form(node.baseType)
            case .arrayType(let node): return .array(deeper.form(node.element))
            case .dictionaryType(let node):
                return .dictionary(deeper.form(node.key), deeper.form(node.value))
            case .tupleType(let node):
                guard node.elements.count == 1, let only = node.elements.first,
                    only.firstName == nil, only.ellipsis == nil
                else { break }
                return deeper.form(only.type)
            default: break
            }
            return .other(text(syntax))
        }

        private func component(
            _ name: TokenSyntax,
            _ clause: GenericArgumentClauseSyntax?
        ) -> TypeForm.Component {
            let arguments = clause?.arguments.map { argument -> TypeForm in
                switch argument.argument {
                case .type(let type): form(type)
                case .expr(let value): .other(text(value))
                }
            }
            return TypeForm.Component(name: name.plainText, arguments: arguments ?? [])
        }

        func arguments(_ list: LabeledExprListSyntax) -> [Expression.Argument] {
            list.map {
                Expression.Argument(label: $0.label?.text, value: expression($0.expression))
            }
        }

        func expression(_ syntax: ExprSyntax) -> Expression {
            guard depth < Self.depthLimit else { return .other }
            return deeper.nested(syntax)
        }

        private func nested(_ syntax: ExprSyntax) -> Expression {
            switch syntax.as(ExprSyntaxEnum.self) {
            case .stringLiteralExpr(let node): .string(node.representedLiteralValue)
            case .integerLiteralExpr(let node): .integer(node.literal.text)
            case .floatLiteralExpr(let node): .float(node.literal.text)
            case .booleanLiteralExpr(let node): .boolean(node.literal.text == "true")
            case .nilLiteralExpr: .null
            case .arrayExpr(let node): .array(node.elements.map { expression($0.expression) })
            case .dictionaryExpr(let node): .dictionary(pairs(node))
            case .declReferenceExpr(let node):
                node.argumentNames == nil ? .name(node.baseName.plainText, []) : .other
            case .genericSpecializationExpr(let node): specialized(node)
            case .memberAccessExpr(let node): member(node)
            case .functionCallExpr(let node): call(node)
            case .keyPathExpr(let node): keyPath(node)
            case .closureExpr(let node): readsBodies ? .closure(body(node)) : .other
            case .typeExpr(let node): .type(form(node.type))
            case .forceUnwrapExpr(let node): .unwrapped(expression(node.expression))
            case .optionalChainingExpr(let node): optional(node)
            case .tupleExpr(let node): inBrackets(node)
            case .prefixOperatorExpr(let node): prefixed(node)
            case .sequenceExpr(let node): sequence(Array(node.elements))
            case .asExpr(let node):
                node.questionOrExclamationMark == nil
                    ? .cast(expression(node.expression), form(node.type)) : .other
            default: .other
            }
        }

        private func pairs(_ node: DictionaryExprSyntax) -> [Expression.Pair] {
            guard case .elements(let elements) = node.content else { return [] }
            return elements.map {
                Expression.Pair(key: expression($0.key), value: expression($0.value))
            }
        }

        private func specialized(_ node: GenericSpecializationExprSyntax) -> Expression {
            let arguments = node.genericArgumentClause.arguments.map { argument -> TypeForm in
                switch argument.argument {
                case .type(let type): form(type)
                case .expr(let value): .other(text(value))
                }
            }
            switch expression(node.expression) {
            case .name(let name, _): return .name(name, arguments)
            case .member(let base?, let name):
                guard case .named(var path)? = base.typeForm else { return .other }
                path.append(TypeForm.Component(name: name, arguments: arguments))
                return .type(.named(path))
            default: return .other
            }
        }

        private func member(_ node: MemberAccessExprSyntax) -> Expression {
            guard node.declName.argumentNames == nil else { return .other }
            return .member(node.base.map(expression), node.declName.baseName.plainText)
        }

        private func call(_ node: FunctionCallExprSyntax) -> Expression {
            var arguments = arguments(node.arguments)
            if let closure = node.trailingClosure {
                arguments.append(.init(label: nil, value: expression(ExprSyntax(closure))))
            }
            for closure in node.additionalTrailingClosures {
                let value = expression(ExprSyntax(closure.closure))
                arguments.append(.init(label: closure.label.plainText, value: value))
            }
            return .call(expression(node.calledExpression), arguments)
        }

        private func keyPath(_ node: KeyPathExprSyntax) -> Expression {
            var names: [String]? = []
            for component in node.components {
                switch component.component {
                case .property(let property) where property.declName.argumentNames == nil:
                    names?.append(property.declName.baseName.plainText)
                // What follows `?` belongs to another type.
                case .optional where component == node.components.last: break
                default: names = nil
                }
            }
            return .keyPath(node.root.map(form), names)
        }

        private func optional(_ node: OptionalChainingExprSyntax) -> Expression {
            guard let form = expression(node.expression).typeForm else { return .other }
            return .type(.optional(form))
        }

        private func inBrackets(_ node: TupleExprSyntax) -> Expression {
            guard node.elements.count == 1, let only = node.elements.first, only.label == nil
            else { return .other }
            return expression(only.expression)
        }

        private func prefixed(_ node: PrefixOperatorExprSyntax) -> Expression {
            guard ["-", "+"].contains(node.operator.text) else { return .other }
            let sign = node.operator.text == "-" ? "-" : ""
            switch expression(node.expression) {
            case .integer(let text): return .integer(sign + text)
            case .float(let text): return .float(sign + text)
            default: return .other
            }
        }

        private func sequence(_ elements: [ExprSyntax]) -> Expression {
            // `x as T` has three elements, including the operator and the type.
            if elements.count == 3, let cast = elements[1].as(UnresolvedAsExprSyntax.self),
                cast.questionOrExclamationMark == nil,
                let type = elements[2].as(TypeExprSyntax.self)
            {
                return .cast(expression(elements[0]), form(type.type))
            }
            if elements.count == 3, let choice = elements[1].as(UnresolvedTernaryExprSyntax.self) {
                return .choice(expression(choice.thenExpression), expression(elements[2]))
            }
            var operands: [Expression] = []
            var operators: [String] = []
            for (index, element) in elements.enumerated() {
                if index.isMultiple(of: 2) {
                    operands.append(expression(element))
                } else if let sign = element.as(BinaryOperatorExprSyntax.self) {
                    operators.append(sign.operator.text)
                } else {
                    return .other
                }
            }
            return .operators(operands, operators)
        }
    }
#endif
