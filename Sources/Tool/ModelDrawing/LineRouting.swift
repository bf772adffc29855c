/// Gives the parts of lines in the gap between two layers places for their upright pieces.
///
/// Two pieces that would touch get different places; which of them is the nearer one is decided by how often they
/// would cross.
struct GapRouting {
    /// A part of a line in the gap.
    struct Piece {
        /// The heights at which it comes in from the left.
        var left: [Double]
        /// The heights at which it goes out to the right.
        var right: [Double]

        var low: Double { min(left.min() ?? .infinity, right.min() ?? .infinity) }
        var high: Double { max(left.max() ?? -.infinity, right.max() ?? -.infinity) }
        /// Whether it goes straight on.
        var isStraight: Bool { right.count == 1 && high - low < 0.5 }

        /// How often it crosses another one that is to its right.
        func crossings(before other: Piece) -> Int {
            other.left.count { $0 > low + 0.1 && $0 < high - 0.1 }
                + right.count { $0 > other.low + 0.1 && $0 < other.high - 0.1 }
        }
    }

    /// The track of each piece, from 0 at the left.
    let tracks: [Int]
    /// The number of tracks.
    let count: Int

    init(_ pieces: [Piece]) {
        let bent = pieces.indices.filter { !pieces[$0].isStraight }
        let order = bent.count > 300 ? bent : Self.order(bent, pieces)
        var tracks = Array(repeating: 0, count: pieces.count)
        // The lowest free height of each track, as long as the pieces come in any order.
        var taken: [[(low: Double, high: Double)]] = []
        guard order.count <= 2000 else {
            // So many cannot be told apart; they share the space of a page.
            for (place, index) in order.enumerated() { tracks[index] = place % 64 }
            self.tracks = tracks
            count = 64
            return
        }
        for index in order {
            let (low, high) = (pieces[index].low - 3, pieces[index].high + 3)
            var track = taken.count
            // Behind all that it must not be before: the first track after the last one that it touches.
            while track > 0, !taken[track - 1].contains(where: { $0.low < high && low < $0.high }) {
                track -= 1
            }
            if track == taken.count { taken.append([]) }
            taken[track].append((low, high))
            tracks[index] = track
        }
        self.tracks = tracks
        count = taken.count
    }

    /// Orders pieces from left to right so that few cross: each goes before those that it would cross less often so.
    private static func order(_ bent: [Int], _ pieces: [Piece]) -> [Int] {
        var score = Array(repeating: 0, count: pieces.count)
        for one in bent {
            for two in bent where one < two {
                let difference =
                    pieces[one].crossings(before: pieces[two])
                    - pieces[two].crossings(before: pieces[one])
                score[one] += difference
                score[two] -= difference
            }
        }
        var order = bent.sorted {
            (score[$0], pieces[$0].low, $0) < (score[$1], pieces[$1].low, $1)
        }
        // Neighbours are swapped as long as that helps.
        for _ in 0..<bent.count {
            var hasChanged = false
            for place in order.indices.dropLast() {
                let (one, two) = (pieces[order[place]], pieces[order[place + 1]])
                guard one.crossings(before: two) > two.crossings(before: one) else { continue }
                order.swapAt(place, place + 1)
                hasChanged = true
            }
            if !hasChanged { break }
        }
        return order
    }
}
