import SwiftParser
import SwiftSyntax

/// Puts mutations into the source of a file, each switched off until it is asked for.
func mutatedSource(_ source: String, _ mutations: [Mutation]) throws(StaleMutation) -> String {
    let tree = Parser.parse(source: source)
    var insertions: [(offset: Int, isEnd: Bool, length: Int, text: String)] = []
    for mutation in mutations {
        let places = MutationPlaces(of: mutation.function, in: tree)
        let condition = "isMutated(\"\(mutation.name)\")"
        let (place, found, before, after): (Int, [MutationPlaces.Place], String, String)
        switch mutation.operation {
        case .negate(let number):
            (place, found) = (number, places.conditions)
            (before, after) = ("(\(condition) != (", "))")
        case .drop(let number):
            (place, found) = (number, places.statements)
            (before, after) = ("if !\(condition) { ", " }")
        case .change(let number):
            (place, found) = (number, places.literals)
            let other = found.indices.contains(number - 1) ? found[number - 1].other : ""
            (before, after) = ("(\(condition) ? \(other) : ", ")")
        }
        guard found.indices.contains(place - 1) else {
            throw StaleMutation(mutation: mutation, count: found.count)
        }
        let range = found[place - 1].range
        insertions.append((range.lowerBound, false, range.count, before))
        insertions.append((range.upperBound, true, range.count, after))
    }
    // Of nested places the outer one begins first and ends last.
    insertions.sort {
        if $0.offset != $1.offset { return $0.offset < $1.offset }
        if $0.isEnd != $1.isEnd { return $0.isEnd }
        return $0.isEnd ? $0.length < $1.length : $0.length > $1.length
    }
    var (result, rest) = ([UInt8](), Array(source.utf8)[...])
    for insertion in insertions {
        result += rest[..<insertion.offset]
        result += insertion.text.utf8
        rest = rest[insertion.offset...]
    }
    return String(decoding: result + rest, as: UTF8.self)
}

struct StaleMutation: Error, CustomStringConvertible {
    var mutation: Mutation
    var count: Int

    var description: String {
        "stale: '\(mutation.name)': there are \(count) such places; see Tests/House/Mutations/MutationList.swift"
    }
}

/// The places of a function to mutate.
final class MutationPlaces: SyntaxVisitor {
    typealias Place = (range: Range<Int>, other: String)

    private(set) var conditions: [Place] = []
    private(set) var statements: [Place] = []
    private(set) var literals: [Place] = []
    private let function: String
    private var depth = 0
    private static let predicates: Set = [
        "allSatisfy", "contains", "count", "drop", "filter", "first", "firstIndex", "last",
        "lastIndex", "prefix", "removeAll",
    ]

    init(of function: String, in tree: SourceFileSyntax) {
        self.function = function
        super.init(viewMode: .sourceAccurate)
        walk(tree)
        conditions.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    private func range(_ first: some SyntaxProtocol, _ last: some SyntaxProtocol) -> Range<Int> {
        let end = last.endPositionBeforeTrailingTrivia.utf8Offset
        return first.positionAfterSkippingLeadingTrivia.utf8Offset..<end
    }

    private func addCondition(_ syntax: some SyntaxProtocol) {
        if depth > 0 { conditions.append((range(syntax, syntax), "")) }
    }

    /// Enters a declaration; its result is a condition where its type says so.
    private func enter(_ name: String, _ type: TypeSyntax?, _ body: CodeBlockItemListSyntax?) {
        if name == function || depth > 0 { depth += 1 }
        guard type?.trimmedDescription == "Bool", let body, body.count == 1 else { return }
        if case .expr(let value)? = body.first?.item { addCondition(value) }
    }

    private func leave() { if depth > 0 { depth -= 1 } }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text, node.signature.returnClause?.type, node.body?.statements)
        return .visitChildren
    }

    override func visitPost(_: FunctionDeclSyntax) { leave() }

    override func visit(_: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("init", nil, nil)
        return .visitChildren
    }

    override func visitPost(_: InitializerDeclSyntax) { leave() }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let binding = node.bindings.first else { return .visitChildren }
        let getter: CodeBlockItemListSyntax? =
            if case .getter(let body)? = binding.accessorBlock?.accessors { body } else { nil }
        let name = binding.pattern.trimmedDescription
        enter(name, binding.typeAnnotation?.type, getter)
        return .visitChildren
    }

    override func visitPost(_ node: VariableDeclSyntax) { if !node.bindings.isEmpty { leave() } }

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        if case .expression(let condition) = node.condition { addCondition(condition) }
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        addCondition(node.condition)
        return .visitChildren
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        let owner = sequence(first: Syntax(node)) { $0.parent }.lazy.first {
            $0.is(FunctionDeclSyntax.self) || $0.is(ClosureExprSyntax.self)
                || $0.is(VariableDeclSyntax.self)
        }
        let type =
            owner?.as(FunctionDeclSyntax.self)?.signature.returnClause?.type
            ?? owner?.as(VariableDeclSyntax.self)?.bindings.first?.typeAnnotation?.type
        if type?.trimmedDescription == "Bool", let value = node.expression { addCondition(value) }
        return .visitChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        let call = sequence(first: Syntax(node)) { $0.parent }.prefix(4).lazy
            .compactMap { $0.as(FunctionCallExprSyntax.self) }.first
        let method = call?.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        if Self.predicates.contains(method ?? ""), node.statements.count == 1,
            case .expr(let value)? = node.statements.first?.item
        {
            addCondition(value)
        }
        return .visitChildren
    }

    /// The condition of `a ? b : c` is the part before it, up to an assignment.
    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        var first: ExprSyntax?
        var last: ExprSyntax?
        for element in node.elements {
            let word = element.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
            if element.is(AssignmentExprSyntax.self) || ["+=", "-=", "*=", "/="].contains(word) {
                first = nil
            } else if element.is(UnresolvedTernaryExprSyntax.self) {
                if depth > 0, let first, let last { conditions.append((range(first, last), "")) }
                first = nil
            } else {
                first = first ?? element
            }
            last = element
        }
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        // A single expression may be the value of its parent.
        guard depth > 0, (node.parent?.as(CodeBlockItemListSyntax.self)?.count ?? 0) > 1 else {
            return .visitChildren
        }
        switch node.item {
        case .expr: statements.append((range(node, node), ""))
        case .stmt(let statement) where statement.is(ExpressionStmtSyntax.self):
            statements.append((range(node, node), ""))
        default: break
        }
        return .visitChildren
    }

    private func add(_ literal: some SyntaxProtocol, _ other: String) {
        if depth > 0 { literals.append((range(literal, literal), other)) }
    }

    // A literal that is matched may be no other expression.
    override func visit(_: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visitPost(_ node: BooleanLiteralExprSyntax) {
        add(node, node.literal.text == "true" ? "false" : "true")
    }

    override func visitPost(_ node: IntegerLiteralExprSyntax) {
        add(node, "\(node.literal.text) + 1")
    }

    override func visitPost(_ node: StringLiteralExprSyntax) {
        let isText = node.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
        if isText { add(node, node.segments.trimmedDescription.isEmpty ? "\"x\"" : "\"\"") }
    }
}
