import Dispatch
import Essentials

extension Array where Element: Sendable {
    /// Returns the results of a transformation in the order of the elements, worked out on all processors.
    ///
    /// - Parameter transform: a pure function, which is called from several threads at once.
    /// - Returns: the results.
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
