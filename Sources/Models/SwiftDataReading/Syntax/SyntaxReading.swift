#if SwiftData
    import Essentials
    import ObjectModel
    internal import SwiftParser
    internal import SwiftSyntax

    /// The most levels of brackets; no handwritten source has more.
    private let nestingLimit = 100

    func declarations(in source: SwiftSource, file: Int) -> FileDeclarations {
        var bytes = source.bytes
        var tree = parse(bytes)
        if tree.hasError, let closer = joiningAttributes(bytes) {
            (tree, bytes) = (parse(closer), closer)
        }
        var reader = SyntaxReader(file: file, bytes: bytes)
        reader.readsBodies = bytes.firstRange(of: Array("MigrationStage".utf8)) != nil
        return FileDeclarations(
            path: source.path,
            declarations: reader.declarations(tree.statements),
            imports: imports(of: tree),
            containers: reader.containers(in: tree),
            fault: tree.hasError ? firstFault(in: Syntax(tree)) : nil,
            places: SwiftPlaces(path: source.path, bytes: source.bytes)
        )
    }

    private func parse(_ bytes: [UInt8]) -> SourceFileSyntax {
        bytes.withUnsafeBufferPointer { buffer in
            Parser.parse(source: buffer, maximumNestingLevel: nestingLimit)
        }
    }

    /// The attributes of SwiftData and of views beside its classes that take arguments.
    private let attributes = [
        "Relationship", "Attribute", "Query", "Environment", "State", "StateObject", "Published",
        "AppStorage", "SceneStorage", "FetchRequest", "SectionedFetchRequest",
    ]

    /// Moves blanks between such attributes and their brackets to before the attribute.
    ///
    /// Compilers allow them up to Swift 5, and the parser does not. Lines stay as they are; `nil` means no such blank.
    private func joiningAttributes(_ bytes: [UInt8]) -> [UInt8]? {
        var result = bytes
        for name in attributes.map({ Array("@\($0)".utf8) }) {
            var start = 0
            while let found = result[start...].firstRange(of: name) {
                start = found.upperBound
                let end = result[start...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? start
                guard end > start, end < result.count, result[end] == UInt8(ascii: "(") else {
                    continue
                }
                let blanks = Array(result[start..<end])
                result.replaceSubrange(found.lowerBound..<end, with: blanks + name)
            }
        }
        return result == bytes ? nil : result
    }

    func typeForm(_ text: String) -> TypeForm? {
        let source = "typealias T = \(text)"
        let tree = Parser.parse(source: source)
        guard !tree.hasError, tree.statements.count == 1,
            let alias = tree.statements.first?.item.as(TypeAliasDeclSyntax.self)
        else { return nil }
        return SyntaxReader(file: 0, bytes: Array(source.utf8)).form(alias.initializer.value)
    }

    extension ForeignForm {
        /// Parses the user's definition; `nil` if a type in it is not Swift.
        init?(_ type: ForeignType) {
            switch type {
            case .alias(let text):
                guard let form = typeForm(text) else { return nil }
                self = .alias(form)
            case .rawValues(let text):
                guard let form = typeForm(text) else { return nil }
                self = .rawValues(form)
            case .fields(let fields):
                let forms = fields.map { ($0.name, typeForm($0.type)) }
                guard forms.allSatisfy({ $0.1 != nil }) else { return nil }
                self = .fields(forms.compactMap { name, form in form.map { (name, $0) } })
            }
        }
    }

    private func imports(of tree: SourceFileSyntax) -> [String] {
        tree.statements.compactMap { item in
            item.item.as(ImportDeclSyntax.self)?.path.first?.name.plainText
        }
    }

    /// Finds the first token that is missing or has no position.
    private func firstFault(in tree: Syntax) -> Int {
        var node = tree
        while let child = node.children(viewMode: .all).first(where: \.isFaulty) {
            if child.is(UnexpectedNodesSyntax.self) {
                return child.positionAfterSkippingLeadingTrivia.utf8Offset
            }
            node = child
        }
        return node.positionAfterSkippingLeadingTrivia.utf8Offset
    }

    extension Syntax {
        fileprivate var isFaulty: Bool {
            if hasError { return true }
            guard let token = self.as(TokenSyntax.self) else {
                return self.is(UnexpectedNodesSyntax.self)
            }
            return token.presence == .missing
        }
    }

    extension TokenSyntax {
        /// Whether text before it is not Swift.
        fileprivate var hidesText: Bool {
            leadingTrivia.contains { if case .unexpectedText = $0 { true } else { false } }
        }

        var plainText: String {
            let text = self.text
            guard text.count > 2, text.hasPrefix("`"), text.hasSuffix("`") else { return text }
            return String(text.dropFirst().dropLast())
        }
    }

    /// Converts the syntax of declarations to values.
    struct SyntaxReader {
        /// The greatest depth of nested expressions or types.
        static let depthLimit = 200

        let file: Int
        let bytes: [UInt8]
        var depth = 0
        /// Whether to read the bodies of functions, as in migrations.
        var readsBodies = false

        /// The reader of nested syntax.
        var deeper: Self {
            var reader = self
            reader.depth += 1
            return reader
        }

        func text(_ node: some SyntaxProtocol) -> String {
            let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
            let end = node.endPositionBeforeTrailingTrivia.utf8Offset
            guard start < end, end <= bytes.count else { return "" }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }

        func place(_ node: some SyntaxProtocol) -> Place {
            Place(file: file, offset: node.positionAfterSkippingLeadingTrivia.utf8Offset)
        }

        func declarations(_ items: CodeBlockItemListSyntax) -> [Conditional<Declaration>] {
            items.flatMap { item -> [Conditional<Declaration>] in
                switch item.item {
                case .decl(let declaration): declarations(declaration)
                case .expr(let expression):
                    expression.as(MacroExpansionExprSyntax.self)
                        .map { [.item(.macro(macro($0)))] } ?? []
                case .stmt: []
                }
            }
        }

        func declarations(_ items: MemberBlockItemListSyntax) -> [Conditional<Declaration>] {
            items.flatMap { declarations($0.decl) }
        }

        private func declarations(_ syntax: DeclSyntax) -> [Conditional<Declaration>] {
            switch syntax.as(DeclSyntaxEnum.self) {
            case .classDecl(let node): [type(node, .class, node.name, node.genericParameterClause)]
            case .structDecl(let node):
                [type(node, .struct, node.name, node.genericParameterClause)]
            case .enumDecl(let node): [type(node, .enum, node.name, node.genericParameterClause)]
            case .actorDecl(let node): [type(node, .actor, node.name, node.genericParameterClause)]
            case .protocolDecl(let node): [type(node, .protocol, node.name, nil)]
            case .extensionDecl(let node): [extensionOf(node)]
            case .typeAliasDecl(let node): [alias(node)]
            case .variableDecl(let node): properties(node)
            case .enumCaseDecl(let node): cases(node)
            case .macroExpansionDecl(let node): [.item(.macro(macro(node)))]
            case .initializerDecl(let node): initializer(node)
            case .functionDecl(let node) where readsBodies:
                [.item(.function(node.name.plainText, body(node)))]
            case .ifConfigDecl(let node): depth < Self.depthLimit ? [.choice(branches(node))] : []
            default: []
            }
        }

        private func initializer(_ node: InitializerDeclSyntax) -> [Conditional<Declaration>] {
            let label = node.signature.parameterClause.parameters.first?.firstName.text
            let decodes = label == "from" || label == "rawValue"
            return (node.optionalMark == nil ? [] : [.item(.failableInitializer)])
                + (decodes ? [.item(.decodingInitializer)] : [])
        }

        private func branches(_ syntax: IfConfigDeclSyntax) -> [Conditional<Declaration>.Branch] {
            syntax.clauses.map { clause in
                let items: [Conditional<Declaration>] =
                    switch clause.elements {
                    case .statements(let items): deeper.declarations(items)
                    case .decls(let items): deeper.declarations(items)
                    default: []
                    }
                return Conditional.Branch(condition: condition(of: clause), items: items)
            }
        }

        private func type(
            _ node: some DeclGroupSyntax,
            _ kind: TypeDeclaration.Kind,
            _ name: TokenSyntax,
            _ generics: GenericParameterClauseSyntax?
        ) -> Conditional<Declaration> {
            .item(
                .type(
                    TypeDeclaration(
                        kind: kind,
                        name: TypeForm(name.plainText),
                        isGeneric: generics != nil,
                        isPrivate: isPrivate(node.modifiers),
                        attributes: attributes(node.attributes),
                        inherited: inherited(node.inheritanceClause),
                        members: declarations(node.memberBlock.members),
                        usesSuper: kind == .class && node.inheritanceClause != nil
                            && node.memberBlock.tokens(viewMode: .sourceAccurate).contains {
                                [.keyword(.super), .keyword(.override)].contains($0.tokenKind)
                            },
                        hasError: hasError(node),
                        place: place(name)
                    )
                )
            )
        }

        private func extensionOf(_ node: ExtensionDeclSyntax) -> Conditional<Declaration> {
            .item(
                .type(
                    TypeDeclaration(
                        kind: .extension,
                        name: form(node.extendedType),
                        isGeneric: false,
                        isPrivate: false,
                        attributes: [],
                        inherited: inherited(node.inheritanceClause),
                        members: declarations(node.memberBlock.members),
                        hasError: hasError(node),
                        place: place(node.extendedType)
                    )
                )
            )
        }

        private func hasError(_ node: some DeclGroupSyntax) -> Bool {
            // Inside of a type whose last brace is missing, a function may hold what follows it.
            if node.parent.map(isUnclosed) ?? false { return true }
            guard node.hasError else { return false }
            let block = node.memberBlock
            if block.leftBrace.presence == .missing || block.rightBrace.presence == .missing {
                return true
            }
            // The marks of a merge conflict hide all between them.
            if node.tokens(viewMode: .sourceAccurate).contains(where: \.hidesText) { return true }
            let isBetween = block.members.contains { item in
                item.decl.is(MissingDeclSyntax.self) || item.unexpectedBeforeDecl != nil
                    || item.unexpectedAfterSemicolon != nil
            }
            return isBetween || block.unexpectedBetweenMembersAndRightBrace != nil
                || block.unexpectedBetweenLeftBraceAndMembers != nil
                || (node.inheritanceClause?.hasError ?? false) || node.attributes.hasError
        }

        private func isUnclosed(_ node: Syntax) -> Bool {
            if node.as(MemberBlockSyntax.self)?.rightBrace.presence == .missing { return true }
            return node.parent.map(isUnclosed) ?? false
        }

        private func alias(_ node: TypeAliasDeclSyntax) -> Conditional<Declaration> {
            .item(
                .alias(
                    AliasDeclaration(
                        name: node.name.plainText,
                        type: form(node.initializer.value),
                        isGeneric: node.genericParameterClause != nil,
                        isPrivate: isPrivate(node.modifiers),
                        place: place(node.name)
                    )
                )
            )
        }

        private func cases(_ node: EnumCaseDeclSyntax) -> [Conditional<Declaration>] {
            node.elements.map { element in
                .item(
                    .enumCase(
                        CaseDeclaration(
                            name: element.name.plainText,
                            hasPayload: element.parameterClause != nil,
                            rawValue: element.rawValue.map { expression($0.value) },
                            text: caseText(element),
                            place: place(element)
                        )
                    )
                )
            }
        }

        private func caseText(_ element: EnumCaseElementSyntax) -> String {
            [
                text(element.name), element.parameterClause.map { text($0) } ?? "",
                element.rawValue.map { " " + text($0) } ?? "",
            ].joined()
        }

        private func inherited(_ clause: InheritanceClauseSyntax?) -> [TypeForm] {
            clause?.inheritedTypes.map { form($0.type) } ?? []
        }

        private func isPrivate(_ modifiers: DeclModifierListSyntax) -> Bool {
            modifiers.contains {
                ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil
            }
        }
    }
#endif
