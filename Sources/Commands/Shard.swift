import ArgumentParser

/// One part of the inputs of a command, as `2/5`: every fifth, from the second.
///
/// Several machines that get the same inputs in the same order and a shard each do every input once.
struct Shard: ExpressibleByArgument {
    private let index: Int
    private let count: Int

    init?(argument: String) {
        let numbers = argument.split(separator: "/", omittingEmptySubsequences: false)
            .map { Int($0) }
        guard numbers.count == 2, let index = numbers[0], let count = numbers[1], count > 0,
            (1...count).contains(index)
        else { return nil }
        (self.index, self.count) = (index - 1, count)
    }

    func part<Element>(of elements: [Element]) -> [Element] {
        elements.enumerated().filter { $0.offset % count == index }.map(\.element)
    }
}

/// The option `--shard` of commands that take several stores.
struct ShardOption: ParsableArguments {
    @Option(help: "Process only a part of the stores; 2/5 is the second of five parts.")
    var shard: Shard?

    /// The elements that this process is to do.
    func part<Element>(of elements: [Element]) -> [Element] {
        shard?.part(of: elements) ?? elements
    }
}
