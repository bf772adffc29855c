import YAMLReading

/// What a migration may cost, by the rows of its store.
package struct MigrationLimits: Sendable, Hashable {
    /// The seconds of a processor for each thousand rows; `nil` for no limit.
    package var secondsPerThousandRows: Double?
    /// The megabytes of memory for each thousand rows, beside what the process has; `nil` for no limit.
    package var megabytesPerThousandRows: Double?

    /// Creates limits.
    package init(secondsPerThousandRows: Double? = nil, megabytesPerThousandRows: Double? = nil) {
        self.secondsPerThousandRows = secondsPerThousandRows
        self.megabytesPerThousandRows = megabytesPerThousandRows
    }

    /// Whether there is any limit.
    package var isEmpty: Bool { self == MigrationLimits() }

    /// Returns these limits, with others where these say nothing.
    package func completed(by other: MigrationLimits) -> MigrationLimits {
        MigrationLimits(
            secondsPerThousandRows: secondsPerThousandRows ?? other.secondsPerThousandRows,
            megabytesPerThousandRows: megabytesPerThousandRows ?? other.megabytesPerThousandRows
        )
    }
}

extension YAMLDocument {
    /// Reads `{secondsPerThousandRows: 0.05, megabytesPerThousandRows: 20}`.
    mutating func limits(_ node: YAMLNode) -> MigrationLimits {
        var limits = MigrationLimits()
        for (key, value) in entries(node, "'limits'") {
            switch key.scalar?.string {
            case "secondsPerThousandRows":
                limits.secondsPerThousandRows = positive(value, "seconds")
            case "megabytesPerThousandRows":
                limits.megabytesPerThousandRows = positive(value, "megabytes")
            default:
                unknown(key, among: ["secondsPerThousandRows", "megabytesPerThousandRows"])
            }
        }
        return limits
    }

    private mutating func positive(_ node: YAMLNode, _ unit: String) -> Double? {
        guard let number = node.float, number > 0, number.isFinite else {
            report("write a number of \(unit) above 0", at: node)
            return nil
        }
        return number
    }
}
