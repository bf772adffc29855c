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
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = transform(self[index])
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }

    /// Returns the results of a transformation of neighbours, worked out on all processors.
    ///
    /// For transformations that gain from what they found out about the elements before.
    ///
    /// - Parameter transform: a pure function of a run of elements, which gives one result for each.
    /// - Returns: the results, in the order of the elements.
    package func concurrentMapOfRuns<Result: Sendable>(
        _ transform: @Sendable (ArraySlice<Element>) -> [Result]
    ) -> [Result] {
        // One for each processor: what one run finds out about its first element, each other finds out, too.
        let runs = Swift.max(1, Swift.min(ProcessInfo.processInfo.activeProcessorCount, count / 8))
        let bounds = (0...runs).map { $0 * count / runs }
        let slices = zip(bounds, bounds.dropFirst()).map { self[$0..<$1] }
        return slices.concurrentMap(transform).flatMap(\.self)
    }
}
