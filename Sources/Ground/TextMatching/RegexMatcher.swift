/// Leads a text through the steps of a regular expression.
struct RegexMatcher {
    private enum Memory {
        /// Another way that was not taken.
        case way(step: Int, place: Int)
        /// What a note said before.
        case note(slot: Int, place: Int)
    }

    private let program: RegexProgram
    private let text: [Unicode.Scalar]
    private let isInterrupted: () -> Bool
    private var slots: [Int]
    private var memory: [Memory] = []
    private var count = 0
    private let searchStart: Int
    /// Whether the search was interrupted, or remembered more than it may.
    private(set) var isStopped = false

    /// The backtracking limit.
    private static let memoryLimit = 4_000_000

    init(
        _ program: RegexProgram,
        _ text: [Unicode.Scalar],
        from searchStart: Int,
        _ isInterrupted: @escaping () -> Bool
    ) {
        self.program = program
        self.text = text
        self.searchStart = searchStart
        self.isInterrupted = isInterrupted
        slots = Array(repeating: -1, count: program.slotCount)
    }

    mutating func match(at start: Int) -> RegularExpression.Match? {
        for slot in slots.indices { slots[slot] = -1 }
        memory.removeAll(keepingCapacity: true)
        guard run(from: 0, at: start) != nil else { return nil }
        let groups = (0..<program.groupCount).map { group -> Range<Int>? in
            let (start, end) = (slots[2 * group], slots[2 * group + 1])
            return start >= 0 && end >= start ? start..<end : nil
        }
        return RegularExpression.Match(groups: groups)
    }

    /// Returns the place where the text has been read to when the steps accept it; `nil` when no way leads there.
    ///
    /// Ways that were remembered below a floor belong to others.
    private mutating func run(from first: Int, at start: Int, floor: Int? = nil) -> Int? {
        let floor = floor ?? memory.count
        var (step, place) = (first, start)
        while true {
            count &+= 1
            if count & 0xFFF == 0, isInterrupted() || memory.count > Self.memoryLimit {
                isStopped = true
                return nil
            }
            if case .accept = program.steps[step] { return place }
            if let next = advance(step, &place) {
                step = next
            } else if !isStopped, let way = nextWay(above: floor) {
                (step, place) = way
            } else {
                return nil
            }
        }
    }

    /// Does one step; returns the next, or `nil` when this way leads nowhere.
    private mutating func advance(_ step: Int, _ place: inout Int) -> Int? {
        switch program.steps[step] {
        case .scalar(let scalar):
            guard place < text.count, text[place] == scalar else { return nil }
            place += 1
        case .foldedText(let wanted):
            guard let end = end(of: wanted, from: place) else { return nil }
            place = end
        case .anything:
            guard place < text.count else { return nil }
            place += isInsideLineEnd(place + 1) ? 2 : 1
        case .set(let set):
            guard place < text.count, program.sets[set].contains(text[place]) else { return nil }
            place += 1
        case .cluster:
            guard let end = clusterEnd(from: place) else { return nil }
            place = end
        case .split(let first, let second):
            memory.append(.way(step: second, place: place))
            return first
        case .jump(let target): return target
        case .save(let slot): note(slot, place)
        case .requireProgress(let slot):
            // An empty repetition counts, and is the last.
            guard slots[slot] != place else { return step + 2 }
        case .place(let kind):
            guard holds(kind, at: place) else { return nil }
        case .reference(let group, let ignoringCase):
            guard let end = end(ofGroup: group, from: place, ignoringCase) else { return nil }
            place = end
        case .atomic(let end):
            guard let reached = closedRun(from: step + 1, at: place, keepsNotes: true) else {
                return nil
            }
            place = reached
            return end
        case .look(let end, let behind, let isNegative):
            guard looks(from: step + 1, at: place, behind, isNegative) else { return nil }
            return end
        case .accept: return nil
        }
        return step + 1
    }

    private mutating func note(_ slot: Int, _ place: Int) {
        memory.append(.note(slot: slot, place: slots[slot]))
        slots[slot] = place
    }

    /// Goes back to the last way that was not taken.
    private mutating func nextWay(above floor: Int) -> (Int, Int)? {
        while memory.count > floor, let last = memory.popLast() {
            switch last {
            case .way(let step, let place): return (step, place)
            case .note(let slot, let place): slots[slot] = place
            }
        }
        return nil
    }

    /// Runs steps by themselves: once they accept, no other way of theirs is taken.
    private mutating func closedRun(from step: Int, at place: Int, keepsNotes: Bool) -> Int? {
        let floor = memory.count
        let reached = run(from: step, at: place)
        close(floor, keepsNotes: reached != nil && keepsNotes)
        return reached
    }

    /// Forgets the ways above a floor, and the notes unless they are kept.
    private mutating func close(_ floor: Int, keepsNotes: Bool) {
        guard keepsNotes else {
            while nextWay(above: floor) != nil {}
            return
        }
        let notes = memory[floor...].filter { if case .note = $0 { true } else { false } }
        memory.replaceSubrange(floor..., with: notes)
    }

    private mutating func looks(
        from step: Int,
        at place: Int,
        _ behind: ClosedRange<Int>?,
        _ isNegative: Bool
    ) -> Bool {
        var found = false
        if let behind {
            for length in behind where !found && length <= place && !isStopped {
                found = endsRun(from: step, at: place - length, end: place, !isNegative)
            }
        } else {
            found = closedRun(from: step, at: place, keepsNotes: !isNegative) != nil
        }
        return found != isNegative && !isStopped
    }

    /// Whether steps that begin at a place can end at another.
    private mutating func endsRun(
        from step: Int,
        at start: Int,
        end: Int,
        _ keepsNotes: Bool
    ) -> Bool {
        let floor = memory.count
        var reached = run(from: step, at: start)
        while let found = reached, found != end {
            guard let way = nextWay(above: floor) else {
                reached = nil
                break
            }
            reached = run(from: way.0, at: way.1, floor: floor)
        }
        close(floor, keepsNotes: reached != nil && keepsNotes)
        return reached != nil
    }
}

extension RegexMatcher {
    private func holds(_ kind: RegexTree.Place, at place: Int) -> Bool {
        switch kind {
        case .textStart: place == 0
        case .textEnd: place == text.count
        case .searchStart: place == searchStart
        case .lastLineEnd(let isUnix): place == text.count || isLastLineEnd(place, isUnix)
        case .lineStart(let isUnix):
            place == 0
                || place < text.count && text[place - 1].endsLine(isUnix: isUnix)
                    && !isInsideLineEnd(place)
        case .lineEnd(let isUnix):
            place == text.count
                || text[place].endsLine(isUnix: isUnix) && !isInsideLineEnd(place)
        case .wordBound: isWordBound(place)
        case .noWordBound: !isWordBound(place)
        }
    }

    /// Whether nothing but one end of a line follows.
    private func isLastLineEnd(_ place: Int, _ isUnix: Bool) -> Bool {
        if place == text.count - 1 {
            return text[place].endsLine(isUnix: isUnix) && !isInsideLineEnd(place)
        }
        return !isUnix && place == text.count - 2 && text[place] == "\r" && text[place + 1] == "\n"
    }

    private func isInsideLineEnd(_ place: Int) -> Bool {
        place > 0 && place < text.count && text[place - 1] == "\r" && text[place] == "\n"
    }

    /// Whether a word begins or ends at a place; marks and joiners belong to what stands before.
    private func isWordBound(_ place: Int) -> Bool {
        var isWordHere = false
        if place < text.count {
            if text[place].isJoined { return false }
            isWordHere = text[place].isWord
        }
        var before = place - 1
        while before >= 0, text[before].isJoined { before -= 1 }
        return isWordHere != (before >= 0 && text[before].isWord)
    }

    /// Where the text has been read to when it begins with a folded text.
    private func end(of wanted: [Unicode.Scalar], from start: Int) -> Int? {
        var (place, count) = (start, 0)
        while count < wanted.count {
            guard place < text.count else { return nil }
            let folded = text[place].fullFold
            guard wanted[count...].starts(with: folded) else { return nil }
            count += folded.count
            place += 1
        }
        return place
    }

    private func clusterEnd(from place: Int) -> Int? {
        guard place < text.count else { return nil }
        // As long as no people join.
        var piece = String.UnicodeScalarView()
        piece.append(contentsOf: text[place..<min(text.count, place + 64)])
        return String(piece).first.map { place + $0.unicodeScalars.count }
    }

    private func end(ofGroup group: Int, from place: Int, _ ignoringCase: Bool) -> Int? {
        let (start, end) = (slots[2 * group], slots[2 * group + 1])
        guard start >= 0, end >= start, place + end - start <= text.count else { return nil }
        for offset in 0..<(end - start) {
            let (found, wanted) = (text[place + offset], text[start + offset])
            guard found == wanted || ignoringCase && found.foldedCase == wanted.foldedCase else {
                return nil
            }
        }
        return place + end - start
    }
}

extension Unicode.Scalar {
    /// Whether it says nothing about words.
    fileprivate var isJoined: Bool {
        value >= 0x80 && (properties.isGraphemeExtend || properties.generalCategory == .format)
    }
}
