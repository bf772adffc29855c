/// The blocks around lines of code, as far as they tell which run because a store did not open.
struct FailureBlocks {
    private struct Block {
        /// Whether it, or the call that it belongs to, opens a store.
        var opens = false
        var isFailure = false
        /// Whether it runs if a store opened, and an `else` if not.
        var isSuccess = false
        /// Whether what follows it runs only if a store did not open.
        var leavesFailure = false
        /// Whether it switches over the result of opening a store.
        var isSwitch = false
        /// Whether it makes a result for the block around it.
        var isResult = false
        /// Whether it leaves the function if the store opened.
        var isAttempt = false
        /// The name of the error that a closure gets as its last parameter.
        var error: Substring?
    }

    /// The functions that tell their callers that a store does not open: by throwing, or by a result.
    private let throwing: Set<String>
    private let answering: Set<String>
    private var blocks = [Block()]
    private var last = Block()
    /// Whether the line before ends in an attempt whose failure is `nil`.
    private var isOptional = false
    /// The variables that keep the error, or that there was one.
    private var flags: Set<Substring> = []

    init(openers: [AppFunction]) {
        throwing = Set(openers.filter(\.isThrowing).map(\.name))
        answering = Set(openers.filter { !$0.isThrowing }.map(\.name))
    }

    /// Whether a line, read behind those before it, is in a block of a failure, or begins one.
    mutating func isFailure(_ code: Substring) -> Bool {
        let isCase = code.hasPrefix("case ") || code.hasPrefix("default")
        if isCase, blocks[blocks.count - 1].isSwitch {
            blocks[blocks.count - 1].isFailure = code.contains(".failure")
        }
        let wasOptional = isOptional && code.hasPrefix("??")
        isOptional = code.contains("try?") && opens(code, opening: false)
        var isWithin =
            wasOptional || isOptional && code.contains("??") || blocks.contains(where: \.isFailure)
        var start = code.startIndex
        for index in code.indices where code[index] == "{" || code[index] == "}" {
            read(code[start..<index], opening: code[index] == "{")
            start = code.index(after: index)
            isWithin = isWithin || blocks.contains(where: \.isFailure)
        }
        leaveOff(code[start...])
        return isWithin
    }

    /// Reads what ends without a new block.
    private mutating func leaveOff(_ text: Substring) {
        let text = afterParameters(text)
        let sides = text.split(separator: " = ", maxSplits: 1)
        if sides.count == 2, let name = words(sides[0]).last, let value = words(sides[1]).first,
            isKnown(value) || value == "true" && blocks.contains(where: \.isFailure)
        {
            flags.insert(name)
        }
        if opens(text, opening: false) { blocks[blocks.count - 1].opens = true }
        if text.contains("return"), blocks[blocks.count - 1].isAttempt {
            blocks[blocks.count - 1].leavesFailure = true
        }
    }

    private mutating func read(_ text: Substring, opening: Bool) {
        guard opening else {
            leaveOff(text)
            guard blocks.count > 1 else { return }
            last = blocks.removeLast()
            if last.leavesFailure, !last.isAttempt || last.opens {
                blocks[blocks.count - 1].isFailure = true
            }
            if last.opens, last.isResult { blocks[blocks.count - 1].opens = true }
            return
        }
        let text = afterParameters(text)
        let opens = opens(text, opening: true)
        if opens { blocks[blocks.count - 1].opens = true }
        let isWithin = blocks.contains(where: \.opens)
        let isElse = text.contains("else")
        var block = Block(opens: opens)
        block.leavesFailure = isWithin && (text.contains("guard let err") || binds("guard", text))
        block.isSuccess = opens && text.contains("try?") && !isElse
        let subject = text.firstRange(of: "switch ").map { text[$0.upperBound...] }
        block.isSwitch =
            subject.map { subject in
                opens || subject.contains("Result") || isWithin && !subject.contains("(")
            } ?? (last.isSwitch && last.opens && !text.contains(where: \.isLetter))
        block.isResult = text.contains("Result") && !text.contains("func ")
        block.isAttempt = block.isSuccess || text.split(separator: " ").last == "do"
        block.isFailure =
            text.contains("catch")
            ? last.opens
            : isElse && !text.contains("if ") && last.isSuccess
                || opens && text.contains("try?") && (isElse || text.contains("??"))
                || opens && text.contains("if (!")
                || last.opens && text.contains("flatMapError")
                || comparesModels(text)
                || examinesError(text) && isWithin && !block.leavesFailure
        blocks.append(block)
    }

    private func opens(_ text: Substring, opening: Bool) -> Bool {
        if opensStore(text) { return true }
        guard !text.contains("func ") else { return false }
        let called = calledFunctions(text) + (opening ? [lastName(text)] : []).compactMap(\.self)
        return called.contains(where: answering.contains)
            || text.contains("try") && called.contains(where: throwing.contains)
    }

    /// What follows the parameters of a closure that is called when a store opened or not; keeps the name of its error.
    private mutating func afterParameters(_ text: Substring) -> Substring {
        let text = text + " "
        guard blocks[blocks.count - 1].opens, blocks[blocks.count - 1].error == nil,
            let end = text.firstRange(of: " in "), !text.contains("for ")
        else { return text }
        let parts = text[..<end.lowerBound].split(separator: ",")
        let name = parts.count > 1 ? words(parts[parts.count - 1]).first : nil
        if name != "_" { blocks[blocks.count - 1].error = name }
        return text[end.upperBound...]
    }

    private func isKnown(_ name: Substring) -> Bool {
        name == "$1" || flags.contains(name) || blocks.contains { $0.error == name }
    }

    private func examinesError(_ text: Substring) -> Bool {
        [
            "!= nil", "let error", "let err ", "== nil else", "if (error)", "if (!store)",
            "(store == nil)", "case .failure", "case let .failure",
        ].contains { text.contains($0) } || text.contains("case .success") && text.contains("else")
            || binds("if", text)
            || text.firstRange(of: "if ").map {
                words(text[$0.upperBound...].prefix { $0 != "!" })
            }?
            .first { $0 != "self" }.map(flags.contains) == true
    }

    /// Whether a condition is that there is an error.
    private func binds(_ keyword: String, _ text: Substring) -> Bool {
        text.firstRange(of: "\(keyword) let ").map {
            words(text[$0.upperBound...]).prefix(2).contains(where: isKnown)
        } ?? false
    }

    /// Whether a block runs where a store does not fit the model.
    private func comparesModels(_ text: Substring) -> Bool {
        text.contains("ompatibleWithStoreMetadata:")
            && ["guard ", "if !", "if (!"].contains { text.contains($0) }
    }
}

private func words(_ text: Substring) -> [Substring] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
}
