extension Dictionary {
    /// Creates a dictionary of pairs; of several with one key, the first counts.
    @inlinable
    package init(firstOf pairs: some Sequence<(Key, Value)>) {
        self.init(pairs, uniquingKeysWith: { first, _ in first })
    }
}
