import Diagnostics

extension MomtoolCommand {
    /// Refuses the placeholders of printed commands: as a value one would be stored.
    static func requireFilled(_ words: [String]) throws {
        let name = Placeholder.all.first { name in
            words.contains { $0 == name || $0.hasSuffix("=" + name) }
        }
        guard let name else { return }
        throw CommandFailure(usage: "replace \(name) with the actual value")
    }
}
