/// What keeps a case from running: a model or a configuration that cannot be read, a missing version.
///
/// It is not specific to one case, so a run of many reports it once.
struct CaseObstacle: Error {
    var lines: [String]
    /// The same for every case that it keeps from running.
    var cause: String

    init(_ lines: [String], cause: String? = nil) {
        self.lines = lines
        self.cause = cause ?? lines.joined(separator: "\n")
    }
}
