/// A regular expression as steps.
struct RegexProgram: Sendable {
    enum Step: Sendable {
        case scalar(Unicode.Scalar)
        /// Scalars in whatever case, folded.
        case foldedText([Unicode.Scalar])
        case anything
        case set(Int)
        case cluster
        /// Goes on at the first place, and at the second when that leads nowhere.
        case split(Int, Int)
        case jump(Int)
        /// Notes where the text is read.
        case save(Int)
        /// Leaves the loop, whose last step follows, when nothing was read since a note.
        case requireProgress(Int)
        case place(RegexTree.Place)
        case reference(Int, ignoringCase: Bool)
        /// What follows up to `accept` must lead on by itself, once; the place behind is the second.
        case atomic(Int)
        case look(end: Int, behind: ClosedRange<Int>?, isNegative: Bool)
        case accept
    }

    var steps: [Step]
    var sets: [CompiledSet]
    var groupCount: Int
    var slotCount: Int
}

/// A set that answers for ASCII at once.
struct CompiledSet: Sendable {
    private let set: ScalarSet
    private let ascii: [Bool]

    init(_ set: ScalarSet) {
        self.set = set
        ascii = (UInt8(0)..<0x80).map { set.contains(Unicode.Scalar($0)) }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80 ? ascii[Int(scalar.value)] : set.contains(scalar)
    }
}

/// Makes steps of a tree.
struct RegexCompiler {
    private var steps: [RegexProgram.Step] = []
    private var sets: [CompiledSet] = []
    private var slotCount = 0
    private var groups = 0
    private var names: [String: Int] = [:]
    /// Whether the last step is a letter of the sequence that is being added.
    private var isJoining = false

    /// No program is longer; counted repetitions are written out.
    private static let sizeLimit = 100_000

    mutating func program(
        _ tree: RegexTree,
        groups: Int,
        names: [String: Int]
    ) throws(RegexSyntaxError) -> RegexProgram {
        self.groups = groups
        self.names = names
        slotCount = 2 * (groups + 1)
        steps.append(.save(0))
        try add(tree)
        steps += [.save(1), .accept]
        return RegexProgram(
            steps: steps,
            sets: sets,
            groupCount: groups + 1,
            slotCount: slotCount
        )
    }

    private mutating func add(_ tree: RegexTree) throws(RegexSyntaxError) {
        guard steps.count < Self.sizeLimit else { throw RegexSyntaxError() }
        switch tree {
        case .empty: break
        case .scalar(let scalar, let ignoringCase):
            steps.append(ignoringCase ? .foldedText(scalar.fullFold) : .scalar(scalar))
        case .anything: steps.append(.anything)
        case .set(let set):
            sets.append(CompiledSet(set))
            steps.append(.set(sets.count - 1))
        case .cluster: steps.append(.cluster)
        case .sequence(let trees): try add(sequence: trees)
        case .alternatives(let trees): try add(alternatives: trees[...])
        case .group(let tree, let number):
            steps.append(.save(2 * number))
            try add(tree)
            steps.append(.save(2 * number + 1))
        case .atomic(let tree):
            let start = steps.count
            steps.append(.accept)
            try add(tree)
            steps.append(.accept)
            steps[start] = .atomic(steps.count)
        case .repetition(let tree, let range, let greed): try add(tree, range, greed)
        case .look(let tree, let isBehind, let isNegative):
            let start = steps.count
            steps.append(.accept)
            try add(tree)
            steps.append(.accept)
            let lengths = tree.lengths
            let behind = isBehind ? lengths.least...max(lengths.least, lengths.most ?? 0) : nil
            steps[start] = .look(end: steps.count, behind: behind, isNegative: isNegative)
        case .reference(let group, let ignoringCase):
            guard group <= groups else { throw RegexSyntaxError() }
            steps.append(.reference(group, ignoringCase: ignoringCase))
        case .namedReference(let name, let ignoringCase):
            guard let group = names[name] else { throw RegexSyntaxError() }
            steps.append(.reference(group, ignoringCase: ignoringCase))
        case .place(let place): steps.append(.place(place))
        }
    }

    /// Letters in whatever case are compared together: one may be the case of two.
    private mutating func add(sequence trees: [RegexTree]) throws(RegexSyntaxError) {
        for tree in trees {
            if case .scalar(let scalar, ignoringCase: true) = tree,
                case .foldedText(let before)? = steps.last, isJoining
            {
                steps[steps.count - 1] = .foldedText(before + scalar.fullFold)
            } else {
                try add(tree)
                if case .scalar(_, true) = tree { isJoining = true } else { isJoining = false }
            }
        }
        isJoining = false
    }

    private mutating func add(alternatives: ArraySlice<RegexTree>) throws(RegexSyntaxError) {
        var ends: [Int] = []
        for (index, tree) in alternatives.enumerated() {
            guard index < alternatives.count - 1 else {
                try add(tree)
                break
            }
            let split = steps.count
            steps.append(.accept)
            try add(tree)
            ends.append(steps.count)
            steps.append(.accept)
            steps[split] = .split(split + 1, steps.count)
        }
        for end in ends { steps[end] = .jump(steps.count) }
    }

    private mutating func add(
        _ tree: RegexTree,
        _ range: ClosedRange<Int>,
        _ greed: RegexTree.Greed
    ) throws(RegexSyntaxError) {
        if greed == .possessive {
            try add(.atomic(.repetition(tree, range, .greedy)))
            return
        }
        for _ in 0..<range.lowerBound { try add(tree) }
        func split(_ inside: Int, _ behind: Int) -> RegexProgram.Step {
            greed == .greedy ? .split(inside, behind) : .split(behind, inside)
        }
        if range.upperBound == RegexTree.endless {
            let start = steps.count
            steps.append(.accept)
            let mayBeEmpty = tree.lengths.least == 0
            let slot = slotCount
            if mayBeEmpty {
                slotCount += 1
                steps.append(.save(slot))
            }
            try add(tree)
            if mayBeEmpty { steps.append(.requireProgress(slot)) }
            steps.append(.jump(start))
            steps[start] = split(start + 1, steps.count)
            return
        }
        var splits: [Int] = []
        for _ in range.lowerBound..<range.upperBound {
            splits.append(steps.count)
            steps.append(.accept)
            try add(tree)
        }
        for place in splits { steps[place] = split(place + 1, steps.count) }
    }
}
