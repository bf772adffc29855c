#if SwiftData
    import Diagnostics
    import Essentials
    internal import SwiftParser
    internal import SwiftSyntax

    /// Parses a file on a thread whose stack is deep enough for the parser, and does something with it.
    func withSyntax<Result: Sendable>(
        of source: SwiftSource,
        _ body: @escaping @Sendable (inout SwiftFileEditor) throws(SwiftEditFault) -> Result
    ) throws(SwiftEditFault) -> Result {
        guard source.bytes.count <= 512 << 10, strangeness(of: source.bytes) == nil else {
            throw SwiftEditFault("\(source.path) is not a handwritten source; edit it by hand")
        }
        let outcome = Locked<Swift.Result<Result, SwiftEditFault>?>(nil)
        _ = DeepThreads(stackSize: 256 << 20, patience: 30).run(1) {
            let result: Swift.Result<Result, SwiftEditFault>
            do throws(SwiftEditFault) {
                var file = try SwiftFileEditor(source)
                result = .success(try body(&file))
            } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
        }
        guard let result = outcome.withLock(\.self) else {
            throw SwiftEditFault("the parser takes too long for \(source.path)")
        }
        return try result.get()
    }

    /// Replaces parts of a Swift file that its syntax tree locates.
    struct SwiftFileEditor {
        let path: String
        let bytes: [UInt8]
        let tree: SourceFileSyntax
        private var replacements: [(range: Range<Int>, text: String)] = []

        @inline(never) init(_ source: SwiftSource) throws(SwiftEditFault) {
            (path, bytes) = (source.path, source.bytes)
            tree = bytes.withUnsafeBufferPointer { buffer in
                Parser.parse(source: buffer, maximumNestingLevel: 100)
            }
            guard !tree.hasError, String(validating: bytes, as: UTF8.self) != nil else {
                throw SwiftEditFault("\(path) is not complete Swift; correct it first")
            }
        }

        /// The file after the edits; of two that touch the same bytes the first is made.
        var result: [UInt8] {
            var (text, position): ([UInt8], Int) = ([], 0)
            let sorted = replacements.enumerated().sorted {
                ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
            }
            for (_, (range, replacement)) in sorted where range.lowerBound >= position {
                text += bytes[position..<range.lowerBound] + Array(replacement.utf8)
                position = range.upperBound
            }
            return text + bytes[position...]
        }

        mutating func replace(_ range: Range<Int>, with text: String) {
            replacements.append((range, text))
        }

        mutating func replace(_ token: TokenSyntax, with text: String) {
            replace(token.bytes, with: text)
        }

        mutating func apply(_ edit: SwiftEdit) throws(SwiftEditFault) {
            switch edit {
            case .writeInverse(let offset, let type, let name):
                let path = "\\\(type.swiftName).\(name.swiftName)"
                try write(inverse: path, ofPropertyAt: offset)
            case .replaceType(let offset, let text):
                let type = try declaration(at: offset)
                let text = indented(
                    text,
                    by: indentation(of: SwiftSource(path: path, bytes: bytes))
                )
                replace(type.bytes, with: moved(text, to: indent(at: type.bytes.lowerBound)))
            case .addToPlan(let offset, let version, let former):
                try addToPlan(at: offset, version, from: former)
            case .enterInPlan(let offset, let version, let last, let former, let leadsToIt):
                try enterInPlan(at: offset, version, before: last, after: former, leadsToIt)
            case .importModule(let name): importModule(name)
            case .retarget(let old, let new): retarget(old, to: new)
            }
        }

        func all<Node: SyntaxProtocol>(_ type: Node.Type, below root: some SyntaxProtocol) -> [Node]
        {
            let collector = Collector<Node>(viewMode: .sourceAccurate)
            collector.walk(root)
            return collector.found
        }

        /// Finds the type whose name begins at an offset.
        func declaration(at offset: Int) throws(SwiftEditFault) -> any DeclGroupSyntax {
            let classes: [any DeclGroupSyntax] = all(ClassDeclSyntax.self, below: tree)
                .filter { $0.name.bytes.lowerBound == offset }
            let enums: [any DeclGroupSyntax] = all(EnumDeclSyntax.self, below: tree)
                .filter { $0.name.bytes.lowerBound == offset }
            let structs: [any DeclGroupSyntax] = all(StructDeclSyntax.self, below: tree)
                .filter { $0.name.bytes.lowerBound == offset }
            guard let found = (classes + enums + structs).first else {
                throw SwiftEditFault("the type has moved in \(path)")
            }
            return found
        }

        var lineEnd: String { bytes.firstRange(of: [0x0D, 0x0A]) == nil ? "\n" : "\r\n" }

        /// The blanks at the beginning of the line of an offset.
        func indent(at offset: Int) -> String {
            let start = lineStart(of: offset)
            let blanks = bytes[start..<offset].prefix { $0 == 0x20 || $0 == 0x09 }
            return String(decoding: blanks, as: UTF8.self)
        }

        func lineStart(of offset: Int) -> Int { (bytes[..<offset].lastIndex(of: 0x0A) ?? -1) + 1 }

        func mentions(of name: String) -> [Int] {
            all(DeclReferenceExprSyntax.self, below: tree).map(\.baseName)
                .filter { $0.plainText == name }.map(\.bytes.lowerBound)
        }
    }

    private final class Collector<Node: SyntaxProtocol>: SyntaxAnyVisitor {
        private(set) var found: [Node] = []

        override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
            if let node = node.as(Node.self) { found.append(node) }
            return .visitChildren
        }
    }

    extension SyntaxProtocol {
        /// The bytes of a node without its trivia.
        var bytes: Range<Int> {
            let start = positionAfterSkippingLeadingTrivia.utf8Offset
            return start..<max(start, endPositionBeforeTrailingTrivia.utf8Offset)
        }

        /// The types around a node, the innermost first; extensions by what they extend.
        var typesAround: [String] {
            var (names, next): ([String], Syntax?) = ([], parent)
            while let node = next {
                if let type = node.as(ClassDeclSyntax.self) {
                    names.append(type.name.plainText)
                } else if let type = node.as(EnumDeclSyntax.self) {
                    names.append(type.name.plainText)
                } else if let type = node.as(StructDeclSyntax.self) {
                    names.append(type.name.plainText)
                } else if let type = node.as(ExtensionDeclSyntax.self) {
                    names.append(type.extendedType.trimmedDescription)
                }
                next = node.parent
            }
            return names
        }
    }
#endif
