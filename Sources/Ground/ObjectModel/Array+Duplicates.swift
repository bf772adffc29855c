extension [String] {
    /// Whether a text occurs twice.
    ///
    /// A few texts are compared pairwise: hashing one takes as long as some ten comparisons.
    package var holdsDuplicates: Bool {
        guard count <= 16 else { return Set(self).count < count }
        for index in indices {
            for earlier in 0..<index where self[earlier] == self[index] { return true }
        }
        return false
    }
}
