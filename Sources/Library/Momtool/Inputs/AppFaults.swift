package import Diagnostics
import Essentials
import FileSystem

/// Finds what code of an app does to its stores whatever their model is: it deletes one that does not open, or its package
/// copies the sources of a model, which are compiled no more.
package func appFaults(below folder: String) -> [Diagnostic] {
    let root = resolvedPath(folder)
    return AppSources.below(root).files.compactMap { file -> Diagnostic? in
        guard !file.mentions.isDisjoint(with: [.removal, .modelFile]),
            !file.path.dropFirst(root.count).contains("Tests/"),
            let bytes = try? readFile(file.path, limit: SourceMentions.sizeLimit)
        else { return nil }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        func place(_ line: Int) -> FileLocation {
            FileLocation(path: pathFromHere(file.path), line: line + 1)
        }
        if file.path.hasSuffix("/Package.swift") {
            let line = lines.firstIndex { $0.contains(".copy(") && $0.contains(".xcdatamodel") }
            return line.map {
                Diagnostic(
                    "model-copied",
                    "the sources of the model are copied, and Xcode 27 compiles them no more: write .process",
                    severity: .warning,
                    at: place($0)
                )
            }
        }
        return deletionOnFailure(in: lines).map {
            Diagnostic(
                "store-deleted",
                "this deletes the store where it does not open, with all that is in it: move it aside instead",
                severity: .warning,
                at: place($0)
            )
        }
    }
}

/// The first line that deletes files because a store did not open, there or in a function of the file called there.
private func deletionOnFailure(in lines: [String]) -> Int? {
    var code = CodeLines()
    let lines = lines.map { code.code(of: $0) }
    var functions: [String: Range<Int>] = [:]
    for (start, line) in lines.enumerated() {
        guard let name = declaredFunction(line) else { continue }
        var (depth, isOpen) = (0, false)
        let end = lines[start...].firstIndex { line in
            depth += line.count { $0 == "{" } - line.count { $0 == "}" }
            isOpen = isOpen || line.contains("{")
            return isOpen && depth <= 0
        }
        functions[name] = start..<min((end ?? start) + 1, lines.count)
    }
    let openers = functions.filter { _, body in
        lines[body].contains { $0.contains("throws") } && lines[body].contains(where: opensStore)
    }
    var blocks = FailureBlocks(openers: Set(openers.keys))
    var reached = lines.indices.filter { blocks.isFailure(lines[$0]) }
    var seen: Set<String> = []
    while !reached.isEmpty {
        if let line = reached.first(where: { deletes(lines[$0]) }) { return line }
        let called = reached.flatMap { calledFunctions(lines[$0]) }
        reached = called.filter { seen.insert($0).inserted }
            .flatMap { functions[$0].map(Array.init) ?? [] }
    }
    return nil
}

private func deletes(_ line: Substring) -> Bool {
    [
        "destroyPersistentStore(", "destroyPersistentStoreAtURL:", "removeItem(",
        "removeItemAtURL:", "removeItemAtPath:",
    ].contains { line.contains($0) }
}

private func opensStore(_ text: Substring) -> Bool {
    ["loadPersistentStores", "addPersistentStore(", "addPersistentStoreWith", "ModelContainer("]
        .contains { text.contains($0) }
}

private func declaredFunction(_ line: Substring) -> String? {
    guard let start = line.firstRange(of: "func ")?.upperBound else { return nil }
    let name = line[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
}

/// The names before parentheses.
private func calledFunctions(_ line: Substring) -> [String] {
    line.split(separator: "(", omittingEmptySubsequences: false).dropLast().compactMap { part in
        let name = part.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return name.isEmpty ? nil : String(name.reversed())
    }
}

/// The code of lines, without comments and what only a debug build has.
private struct CodeLines {
    private var isComment = false
    private var isDebug = false

    mutating func code(of line: String) -> Substring {
        let text = line.drop { $0 == " " || $0 == "\t" }
        if text.hasPrefix("#if") || text.hasPrefix("#e") { isDebug = text.contains("if DEBUG") }
        let isWithin = isComment
        if text.hasPrefix("/*") { isComment = true }
        if text.contains("*/") { isComment = false }
        guard !isWithin, !isComment, !isDebug, !text.hasPrefix("/*") else { return "" }
        return text.firstRange(of: "//").map { text[..<$0.lowerBound] } ?? text
    }
}

/// The blocks around lines of code, as far as they tell which run because a store did not open.
private struct FailureBlocks {
    private struct Block {
        /// Whether it, or the call that it belongs to, opens a store.
        var opens: Bool
        var isFailure: Bool
        /// Whether it runs if a store opened, and an `else` if not.
        var isSuccess: Bool
    }

    /// The functions that throw if a store does not open.
    let openers: Set<String>
    private var blocks = [Block(opens: false, isFailure: false, isSuccess: false)]
    private var last = Block(opens: false, isFailure: false, isSuccess: false)

    init(openers: Set<String>) { self.openers = openers }

    /// Whether a line, read behind those before it, is in a block of a failure, or begins one.
    mutating func isFailure(_ code: Substring) -> Bool {
        var isWithin = blocks.contains(where: \.isFailure)
        var start = code.startIndex
        for index in code.indices where code[index] == "{" || code[index] == "}" {
            read(code[start..<index], opening: code[index] == "{")
            start = code.index(after: index)
            isWithin = isWithin || blocks.contains(where: \.isFailure)
        }
        if opens(code[start...]) { blocks[blocks.count - 1].opens = true }
        return isWithin
    }

    private mutating func read(_ text: Substring, opening: Bool) {
        let opens = opens(text)
        if opens { blocks[blocks.count - 1].opens = true }
        guard opening else {
            if blocks.count > 1 { last = blocks.removeLast() }
            return
        }
        let isElse = text.contains("else")
        let isOptional = opens && text.contains("try?")
        let isFailure =
            text.contains("catch")
            ? last.opens
            : isElse && !text.contains("if ") && last.isSuccess
                || isOptional && isElse || opens && text.contains("if (!")
                || tellsError(text) && blocks.contains(where: \.opens)
        blocks.append(Block(opens: opens, isFailure: isFailure, isSuccess: isOptional && !isElse))
    }

    private func opens(_ text: Substring) -> Bool {
        opensStore(text)
            || text.contains("try") && !openers.isDisjoint(with: calledFunctions(text))
    }

    private func tellsError(_ text: Substring) -> Bool {
        ["!= nil", "let error", "let err ", "== nil else", "if (error)"]
            .contains { text.contains($0) }
    }
}
