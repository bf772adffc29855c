import Dispatch
import Essentials

extension Array where Element: Sendable {
    /// Returns the results of a pure function in the order of the elements, computed on all processors.
    package func concurrentMap<Result: Sendable>(
        _ transform: @Sendable (Element) -> Result
    ) -> [Result] {
        guard count > 1 else { return map(transform) }
        let results = Locked([Result?](repeating: nil, count: count))
        let surroundings = Surroundings.current
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Surroundings.$current.withValue(surroundings) { transform(self[index]) }
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }
}
