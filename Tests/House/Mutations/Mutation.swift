/// A fault that is put into a copy of the engine on purpose: a case or a test must notice it.
struct Mutation: Sendable, Hashable {
    /// What is done to the syntax of a function, to which of its places of that kind, counted from 1.
    enum Operation: Sendable, Hashable {
        /// A condition is turned round.
        case negate(Int)
        /// A statement is left out.
        case drop(Int)
        /// A literal gets another value.
        case change(Int)
    }

    /// The file below `Sources`.
    var file: String
    /// The function, property or initializer.
    var function: String
    var operation: Operation
    /// A case of `Fixtures/Cases`, or the tests by their filter, of which one must fail.
    var caughtBy: String

    /// Its name, which switches it on in the environment variable `MOMTOOL_MUTATION`.
    var name: String {
        let words =
            switch operation {
            case .negate(let place): "negate \(place)"
            case .drop(let place): "drop \(place)"
            case .change(let place): "change \(place)"
            }
        return "\(file) \(function) \(words)"
    }

    /// The mutations of one file, by their functions.
    static func of(_ file: String, _ rows: (String, Operation, String)...) -> [Mutation] {
        rows.map { Mutation(file: file, function: $0.0, operation: $0.1, caughtBy: $0.2) }
    }
}
