/// What a regular expression says.
indirect enum RegexTree {
    case empty
    case scalar(Unicode.Scalar, ignoringCase: Bool)
    case set(ScalarSet)
    /// Anything, an end of a line of two scalars at once.
    case anything
    /// A cluster of scalars that people take for one character.
    case cluster
    case sequence([RegexTree])
    case alternatives([RegexTree])
    case group(RegexTree, number: Int)
    case atomic(RegexTree)
    case repetition(RegexTree, ClosedRange<Int>, Greed)
    case look(RegexTree, isBehind: Bool, isNegative: Bool)
    case reference(Int, ignoringCase: Bool)
    case namedReference(String, ignoringCase: Bool)
    case place(Place)

    /// How many of the possible repetitions are tried first.
    enum Greed {
        case greedy, lazy, possessive
    }

    /// Something that is true between two scalars.
    enum Place {
        case textStart, textEnd, lastLineEnd(isUnix: Bool), lineStart(isUnix: Bool)
        case lineEnd(isUnix: Bool), wordBound, noWordBound, searchStart
    }

    /// As good as no end of repetitions.
    static let endless = Int.max

    /// How many scalars it takes; `nil` for no end.
    var lengths: (least: Int, most: Int?) {
        switch self {
        case .empty, .look, .place: (0, 0)
        case .scalar, .set: (1, 1)
        case .anything: (1, 2)
        case .cluster, .reference, .namedReference: (0, nil)
        case .group(let tree, _), .atomic(let tree): tree.lengths
        case .sequence(let trees):
            trees.map(\.lengths).reduce((0, 0)) { sum, next in
                (sum.least + next.least, sum.most.flatMap { most in next.most.map { most + $0 } })
            }
        case .alternatives(let trees):
            trees.map(\.lengths).reduce((Int.max, 0)) { sum, next in
                (
                    min(sum.least, next.least),
                    sum.most.flatMap { most in next.most.map { max(most, $0) } }
                )
            }
        case .repetition(let tree, let range, _): Self.lengths(tree.lengths, range)
        }
    }

    private static func lengths(
        _ one: (least: Int, most: Int?),
        _ range: ClosedRange<Int>
    ) -> (least: Int, most: Int?) {
        let least = one.least.multipliedReportingOverflow(by: range.lowerBound)
        let most = one.most.map { $0.multipliedReportingOverflow(by: range.upperBound) }
        return (
            least.overflow ? Int.max : least.partialValue,
            most.flatMap { $0.overflow || range.upperBound == endless ? nil : $0.partialValue }
        )
    }
}
