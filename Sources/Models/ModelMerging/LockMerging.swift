import Diagnostics
import Essentials

/// Merges the `MODEL.lock` of a model: the versions that either side froze stay, in the order of shipping.
///
/// Where the sides froze a version differently, both are kept between git's marks. Conflicts name `path`.
package func mergeLock(_ sides: MergeSides, path: String) -> MergedFile {
    if let bytes = sides.onlyChange { return MergedFile(bytes: bytes) }
    let base = LockBlocks(sides.base)
    let (ours, theirs) = (LockBlocks(sides.ours), LockBlocks(sides.theirs))
    let names = mergedOrder(
        base: base.names,
        ours: ours.names,
        theirs: theirs.names,
        keeping: Set(ours.names + theirs.names),
        precedes: { isVersion(LockBlocks.plain($0), before: LockBlocks.plain($1)) }
    )
    var lines = ours.head
    var conflicts: [Diagnostic] = []
    for name in names {
        let (before, one, two) = (base[name], ours[name], theirs[name])
        if LockBlocks.meaning(one) == LockBlocks.meaning(two) {
            // Comments are worth keeping too.
            lines += one.count < two.count ? two : one
        } else if LockBlocks.meaning(two) == LockBlocks.meaning(before) {
            lines += one
        } else if LockBlocks.meaning(one) == LockBlocks.meaning(before) {
            lines += two
        } else {
            lines.append("")
            conflicts.append(conflict(in: name, one, two, at: (path, lines.count + 1)))
            lines += ["<<<<<<< ours"] + one + ["======="] + two + [">>>>>>> theirs"]
        }
    }
    let end = ours.hasReturns ? "\r\n" : "\n"
    return MergedFile(bytes: Array(lines.map { $0 + end }.joined().utf8), conflicts: conflicts)
}

private func conflict(
    in name: String,
    _ ours: [String],
    _ theirs: [String],
    at place: (path: String, line: Int)
) -> Diagnostic {
    let title = LockBlocks.plain(name)
    let message =
        ours.isEmpty || theirs.isEmpty
        ? "one side removed the locked version '\(title)' and the other locked it again"
        : "both sides locked a version '\(title)', but their models differ"
    return Diagnostic(
        ours.isEmpty || theirs.isEmpty ? .mergeConflict : .versionAddedTwice,
        message,
        at: FileLocation(path: place.path, line: place.line),
        notes: [
            Diagnostic.Note(
                saying: """
                    keep the block of the version that shipped; give the other version another name, merge the model, \
                    and run \(.lock) once it ships
                    """
            )
        ]
    )
}

private struct LockBlocks {
    private(set) var head: [String] = []
    /// The written names, each once: a repeated one has NUL and a number appended.
    private(set) var names: [String] = []
    let hasReturns: Bool
    private var blocks: [String: [String]] = [:]

    init(_ bytes: [UInt8]) {
        hasReturns = bytes.contains(0x0D)
        let text = bytes.filter { $0 != 0x0D }
        var block: String?
        var counts: [String: Int] = [:]
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let line = String(decoding: line, as: UTF8.self)
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.first == "version" {
                var name = words.dropFirst().joined(separator: " ")
                let plain = name
                while blocks[name] != nil {
                    counts[plain, default: 1] += 1
                    name = "\(plain)\u{0}\(counts[plain, default: 1])"
                }
                names.append(name)
                blocks[name] = ["", line]
                block = name
            } else if let name = block {
                blocks[name]?.append(line)
            } else {
                head.append(line)
            }
        }
    }

    subscript(name: String) -> [String] { blocks[name] ?? [] }

    /// The meaning of lines, without comments, spacing and order.
    static func meaning(_ lines: [String]) -> Set<[Substring]> {
        Set(
            lines.map { $0.split(whereSeparator: \.isWhitespace) }
                .filter { $0.first.map { !$0.hasPrefix("#") } ?? false }
        )
    }

    static func plain(_ name: String) -> String {
        let written = String(name.prefix { $0 != "\u{0}" })
        return written.percentDecoded ?? written
    }
}
