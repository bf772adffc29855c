import ArgumentParser

/// One part of the inputs of a command, such as `2/5`, the second of five.
///
/// An input's part follows from its path alone, so that machines which list the inputs at different times, and find
/// more or fewer, still agree on who does which.
struct Shard: ExpressibleByArgument, CustomStringConvertible {
    private let index: UInt64
    private let count: UInt64

    init?(argument: String) {
        let numbers = argument.split(separator: "/", omittingEmptySubsequences: false)
            .map { UInt64($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1], count > 0,
            (1...count).contains(index)
        else { return nil }
        (self.index, self.count) = (index - 1, count)
    }

    /// The part as it is given, such as `2/5`.
    var description: String { "\(index + 1)/\(count)" }

    /// Whether an input belongs to this part, by its path as given.
    func contains(_ path: String) -> Bool { Self.hash(path) % count == index }

    /// FNV-1a with 64 bits, and its upper half mixed in, as its lowest bits alone are poor.
    private static func hash(_ path: String) -> UInt64 {
        let hash = path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return hash ^ (hash >> 32)
    }
}
