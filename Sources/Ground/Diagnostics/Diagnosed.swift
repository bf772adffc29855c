/// A value that could be read, together with what was noticed while reading it.
///
/// Reading does not stop at the first fault: the value holds what could be understood.
package struct Diagnosed<Value> {
    /// What was read.
    package var value: Value
    /// What was noticed, in the order of the input.
    package var diagnostics: [Diagnostic]

    /// Creates a value with its diagnostics.
    package init(_ value: Value, _ diagnostics: [Diagnostic] = []) {
        self.value = value
        self.diagnostics = diagnostics
    }

    /// Whether anything that was noticed makes the value unfit for use.
    package var hasErrors: Bool {
        diagnostics.contains { $0.severity == .error }
    }

    /// Transforms the value and keeps the diagnostics.
    package func map<Result>(_ transform: (Value) throws -> Result) rethrows -> Diagnosed<Result> {
        Diagnosed<Result>(try transform(value), diagnostics)
    }
}

extension Diagnosed: Sendable where Value: Sendable {}
extension Diagnosed: Equatable where Value: Equatable {}
extension Diagnosed: Hashable where Value: Hashable {}
