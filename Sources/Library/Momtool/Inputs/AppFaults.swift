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
        var blocks = FailureBlocks()
        return lines.firstIndex { blocks.isFailure($0) && deletes($0) }.map {
            Diagnostic(
                "store-deleted",
                "this deletes the store where it does not open, with all that is in it: move it aside instead",
                severity: .warning,
                at: place($0)
            )
        }
    }
}

private func deletes(_ line: String) -> Bool {
    line.contains("destroyPersistentStore(") || line.contains("removeItem(")
}

/// The blocks around lines of Swift, as far as they tell which run because a store did not open.
private struct FailureBlocks {
    private struct Block {
        /// Whether it, or the call that it belongs to, opens a store.
        var opens: Bool
        var isFailure: Bool
    }

    private var blocks = [Block(opens: false, isFailure: false)]
    /// Whether the block that ended last opens a store.
    private var openedBefore = false
    private var isDebug = false

    /// Whether a line, read behind those before it, is in a block of a failure, or begins one.
    mutating func isFailure(_ line: String) -> Bool {
        let text = line.drop { $0 == " " || $0 == "\t" }
        if text.hasPrefix("#if") || text.hasPrefix("#e") { isDebug = text.contains("if DEBUG") }
        var isWithin = blocks.contains(where: \.isFailure)
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line[...]
        var start = code.startIndex
        for index in code.indices where code[index] == "{" || code[index] == "}" {
            read(code[start..<index], opening: code[index] == "{")
            start = code.index(after: index)
            isWithin = isWithin || blocks.contains(where: \.isFailure)
        }
        if opensStore(code[start...]) { blocks[blocks.count - 1].opens = true }
        return isWithin && !isDebug
    }

    private mutating func read(_ text: Substring, opening: Bool) {
        let opens = opensStore(text)
        if opens { blocks[blocks.count - 1].opens = true }
        if opening {
            let isCatch = text.contains("catch")
            let isFailure =
                isCatch ? openedBefore : tellsError(text) && blocks.contains(where: \.opens)
            blocks.append(Block(opens: opens, isFailure: isFailure))
        } else if blocks.count > 1 {
            openedBefore = blocks.removeLast().opens
        }
    }

    private func opensStore(_ text: Substring) -> Bool {
        ["loadPersistentStores", "addPersistentStore(", "ModelContainer("]
            .contains { text.contains($0) }
    }

    private func tellsError(_ text: Substring) -> Bool {
        ["!= nil", "let error", "let err ", "== nil else"].contains { text.contains($0) }
    }
}
