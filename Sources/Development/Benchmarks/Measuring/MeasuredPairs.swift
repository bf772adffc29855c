/// Runs of a command and of its peer in turns, so that both see the same machine.
struct MeasuredPairs {
    var ours: [MeasuredRun] = []
    var theirs: [MeasuredRun] = []

    /// The median ratio of the times on the clock, pair by pair.
    var ratio: Double { zip(ours, theirs).map { $0.seconds / $1.seconds }.median }

    /// The median ratio of the times on processors, pair by pair.
    var processorRatio: Double {
        zip(ours, theirs).map { $0.processorSeconds / max($1.processorSeconds, 0.0001) }.median
    }

    /// The greatest memory of our runs, in megabytes.
    var peakMegabytes: Int { (ours.compactMap(\.peakMemory).max() ?? 0) >> 20 }

    /// Runs two commands in turns; `prepare` is called before each run of ours.
    static func inTurns(
        _ runs: Int,
        _ command: MeasuredCommand,
        against peer: MeasuredCommand,
        prepare: () -> Void
    ) throws -> MeasuredPairs {
        var pairs = MeasuredPairs()
        for _ in 0..<runs {
            prepare()
            pairs.ours.append(try command.run())
            pairs.theirs.append(try peer.run())
        }
        return pairs
    }
}
