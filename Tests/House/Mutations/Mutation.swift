/// A deliberate fault in a copy of the engine: a case or a test must notice it.
struct Mutation: Sendable, Hashable {
    /// A change of the n-th place of its kind in a function, counted from 1.
    enum Operation: Sendable, Hashable {
        /// A condition is negated.
        case negate(Int)
        case drop(Int)
        case change(Int)
    }

    var file: String
    var function: String
    var operation: Operation
    /// A case of `Fixtures/Cases`, or the filter of tests, one of which must fail.
    var caughtBy: String

    /// The name that switches it on in the environment variable `MOMTOOL_MUTATION`.
    var name: String {
        let words =
            switch operation {
            case .negate(let place): "negate \(place)"
            case .drop(let place): "drop \(place)"
            case .change(let place): "change \(place)"
            }
        return "\(file) \(function) \(words)"
    }

    static func of(_ file: String, _ rows: (String, Operation, String)...) -> [Mutation] {
        rows.map { Mutation(file: file, function: $0.0, operation: $0.1, caughtBy: $0.2) }
    }
}
