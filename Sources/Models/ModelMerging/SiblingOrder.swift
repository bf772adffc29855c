/// Orders what both sides keep and add.
///
/// The order is ours, unless only theirs changed it; an addition of the other side keeps its predecessor there.
/// Additions of both sides at one position are in the order of `precedes`, whichever side is ours.
func mergedOrder(
    base: [String],
    ours: [String],
    theirs: [String],
    keeping kept: Set<String>,
    precedes: (String, String) -> Bool
) -> [String] {
    let common = Set(base).intersection(ours).intersection(theirs)
    let before = base.filter(common.contains)
    let isTheirs =
        ours.filter(common.contains) == before && theirs.filter(common.contains) != before
    let (frame, other) = isTheirs ? (theirs, ours) : (ours, theirs)
    let (inFrame, inOther) = (Set(frame), Set(other))
    var additions: [String?: [String]] = [:]
    var anchor: String?
    for key in other {
        if inFrame.contains(key) {
            anchor = key
        } else if kept.contains(key) {
            additions[anchor, default: []].append(key)
        }
    }
    var result: [String] = []
    var waiting = (additions[nil] ?? [])[...]
    for key in frame {
        if inOther.contains(key) {
            result += waiting
            if kept.contains(key) { result.append(key) }
            waiting = (additions[key] ?? [])[...]
        } else if kept.contains(key) {
            while let first = waiting.first, precedes(first, key) {
                result.append(first)
                waiting = waiting.dropFirst()
            }
            result.append(key)
        }
    }
    return result + waiting
}
