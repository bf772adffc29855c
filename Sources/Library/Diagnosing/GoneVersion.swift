import Diagnostics
package import LogReading

/// A version in git's history of a model that was removed from the app: Core Data does not open its stores.
package struct GoneVersion: Sendable, Hashable {
    package var commit: String
    package var path: String
    /// Its name in commands, quoted for a shell; `nil` where commands cannot read it there.
    package var argument: String?
    /// Restores it; `nil` where another version has its place, or that is done by hand.
    package var restoring: HelpfulCommand?

    package init(commit: String, path: String, argument: String?, restoring: HelpfulCommand?) {
        (self.commit, self.path) = (commit, path)
        (self.argument, self.restoring) = (argument, restoring)
    }
}

/// What to do with a store of a version that only git has: as for one in the app, with the model of the commit.
func waysOut(of writer: Diagnosis.Writer, gone: GoneVersion, _ words: StoreWords) -> [WayOut] {
    let edits: Wording =
        gone.restoring == nil ? "; put later edits into a new version" : ""
    let restoring = WayOut(
        """
        restore the version as it shipped, for users with such stores: the app no longer has it, but commit \
        \(gone.commit) has it at \(gone.path)\(edits)
        """,
        gone.restoring
    )
    let locking = WayOut(
        "only then lock the versions that shipped, so that none is lost again",
        .call(.lock, .text(words.model))
    )
    guard let older = gone.argument else { return [restoring, locking] }
    var (restored, words) = (writer, words)
    words.isOwnModelUsable = false
    (restored.gone, restored.forecast) = (nil, writer.restoredForecast)
    let ways = waysOut(of: restored, words)
    return [restoring]
        + ways.map { WayOut($0.advice, $0.command?.adding(older: older, to: words.model)) } + [
            locking
        ]
}
