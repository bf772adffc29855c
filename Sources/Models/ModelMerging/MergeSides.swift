package import Diagnostics

/// One of the two branches that are merged.
package enum MergeSide: String, Sendable, Hashable {
    /// The branch that is merged into.
    case ours
    /// The branch that comes in.
    case theirs

    /// The other branch.
    var other: MergeSide { self == .ours ? .theirs : .ours }
}

/// The text of a file before two branches parted, and in each of them.
package struct MergeSides: Sendable {
    /// Before the branches parted; empty when there was no such file.
    package var base: [UInt8]
    /// In the branch that is merged into.
    package var ours: [UInt8]
    /// In the branch that comes in.
    package var theirs: [UInt8]

    package init(base: [UInt8], ours: [UInt8], theirs: [UInt8]) {
        self.base = base
        self.ours = ours
        self.theirs = theirs
    }

    /// The text of the side that alone changed something, or of both when they are equal.
    var onlyChange: [UInt8]? {
        if ours == theirs || theirs == base { return ours }
        return ours == base ? theirs : nil
    }
}

/// A merged file.
package struct MergedFile: Sendable, Hashable {
    /// Its text; where the sides contradict each other, that of ours stands and theirs beside it.
    package var bytes: [UInt8]
    /// Where the sides contradict each other, each as an error with its location in the merged text.
    package var conflicts: [Diagnostic] = []
}

/// Why files were not merged; the diagnostics say which could not be read.
package struct MergeFault: Error, Sendable, Hashable {
    /// What is wrong with the files.
    package var diagnostics: [Diagnostic]
}

extension RuleID {
    /// Both sides changed the same thing, each in its way.
    package static let mergeConflict: RuleID = "merge-conflict"
    /// Both sides added a version of one name.
    package static let versionAddedTwice: RuleID = "version-added-twice"
}
