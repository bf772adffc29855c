/// What keeps a case from being run: a model or a configuration that cannot be read, a version that is not there.
///
/// It is no fault of the case alone, so that a run of many tells it once.
struct CaseObstacle: Error {
    /// What is said of the case.
    var lines: [String]
    /// The same for every case that it keeps from running.
    var cause: String

    init(_ lines: [String], cause: String? = nil) {
        self.lines = lines
        self.cause = cause ?? lines.joined(separator: "\n")
    }
}
