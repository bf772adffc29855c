// Swift Testing is part of the toolchain, but not of its static libraries: programs linked with those do without.
#if canImport(Testing)

    import MigrationTesting
    public import Momtool
    public import Testing

    /// Expects that every case of a folder passes; for Swift Testing.
    ///
    /// The cases are those that `momtool test` runs (TestingMigrations, "Write a case"). Each difference is a separate
    /// issue, after the name of its case.
    ///
    /// ```swift
    /// @Test func `all cases pass`() throws { try expectCases(in: "Tests/Cases") }
    /// ```
    ///
    /// - Parameters:
    ///   - folder: the path of a `case.yml`, of its folder, or of a folder of such folders; relative to the working
    ///     directory.
    ///   - sourceLocation: where issues are recorded.
    /// - Returns: whether all passed, and not all were skipped.
    /// - Throws: `MomtoolError` when there is no such folder, or no case in it.
    @discardableResult
    public func expectCases(
        in folder: String,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws(MomtoolError) -> Bool {
        record(lines(of: try caseOutcomes(in: folder)), sourceLocation)
    }

    /// Expects that generated objects of every older version of a model migrate to its current one; for Swift Testing.
    ///
    /// Each object, value and link is accounted for, as by `momtool test --matrix`.
    ///
    /// What is lost must be named under `losses` in `.momtool.yml`.
    ///
    /// ```swift
    /// @Test func `every version migrates`() throws { try expectMatrix(of: "Shop.xcdatamodeld") }
    /// ```
    ///
    /// - Parameters:
    ///   - model: the path of the model; relative to the working directory.
    ///   - rows: the number of generated objects of each entity.
    ///   - seed: decides the values of each object: the same seed gives the same objects.
    ///   - sourceLocation: where issues are recorded.
    /// - Returns: whether all went as expected.
    /// - Throws: `MomtoolError` when there is no such model, or no version to start from.
    @discardableResult
    public func expectMatrix(
        of model: String,
        rows: Int = 20,
        seed: UInt64 = 0,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws(MomtoolError) -> Bool {
        record(lines(of: try matrixOutcomes(of: model, rows: rows, seed: seed)), sourceLocation)
    }

    /// The faults, a line each; running nothing is one too.
    private func lines(of outcomes: [CaseOutcome]) -> [String] {
        guard outcomes.contains(where: { $0.status != .skipped }) else {
            return ["every test was skipped: nothing was run"]
        }
        return outcomes.filter { $0.status == .failed }.flatMap { outcome in
            outcome.lines.map { "\(outcome.name): \($0)" }
        }
    }

#endif
