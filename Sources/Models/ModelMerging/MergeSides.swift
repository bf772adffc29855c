package import Diagnostics

package enum MergeSide: String, Sendable, Hashable {
    /// The branch that is merged into.
    case ours
    /// The branch that comes in.
    case theirs

    var other: MergeSide { self == .ours ? .theirs : .ours }
}

/// The text of a file before two branches parted, and in each of them.
package struct MergeSides: Sendable {
    /// Before the branches parted; empty when there was no such file.
    package var base: [UInt8]
    package var ours: [UInt8]
    package var theirs: [UInt8]

    package init(base: [UInt8], ours: [UInt8], theirs: [UInt8]) {
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
    }

    /// The text of the only side that changed something, or of both when they are equal.
    var onlyChange: [UInt8]? {
        if ours == theirs || theirs == base { return ours }
        return ours == base ? theirs : nil
    }
}

package struct MergedFile: Sendable, Hashable {
    /// Its text; where the sides contradict each other, ours stays with theirs beside it.
    package var bytes: [UInt8]
    /// The contradictions, each as an error with its location in the merged text.
    package var conflicts: [Diagnostic] = []
}

/// Why files were not merged; the diagnostics say which could not be read.
package struct MergeFault: Error, Sendable, Hashable { package var diagnostics: [Diagnostic] }

extension RuleID {
    package static let mergeConflict: RuleID = "merge-conflict"
    package static let versionAddedTwice: RuleID = "version-added-twice"
}
