/// A value that could be read, with the diagnostics of reading it.
///
/// Reading does not stop at the first fault: the value holds what could be understood.
package struct Diagnosed<Value> {
    package var value: Value
    package var diagnostics: [Diagnostic]

    package init(_ value: Value, _ diagnostics: [Diagnostic] = []) {
        (self.value, self.diagnostics) = (value, diagnostics)
    }

    /// Whether any diagnostic makes the value unfit for use.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    package func map<Result>(_ transform: (Value) throws -> Result) rethrows -> Diagnosed<Result> {
        Diagnosed<Result>(try transform(value), diagnostics)
    }
}

extension Diagnosed: Sendable where Value: Sendable {}
extension Diagnosed: Equatable where Value: Equatable {}
extension Diagnosed: Hashable where Value: Hashable {}
