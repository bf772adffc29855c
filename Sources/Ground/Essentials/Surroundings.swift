/// Where work runs: the base folder of relative paths, the environment, and the standard streams.
///
/// By default they belong to the process, unless a run has its own; threads that momtool starts inherit them. Tests use
/// this to give several runs in one process separate folders and outputs.
package struct Surroundings: Sendable {
    @TaskLocal package static var current = Surroundings()

    /// The absolute path of the base folder of relative paths; `nil` for that of the process.
    package let folder: String?
    private let ownEnvironment: [String: String]?
    /// The replacements of standard input, output and error; `nil` for those of the process.
    package let streams: Streams?
    /// What one run keeps and the next one must not see.
    package let memory: RunMemory

    package init() { (folder, ownEnvironment, streams, memory) = (nil, nil, nil, RunMemory()) }

    /// The surroundings of a run; `folder` is the absolute base of relative paths, `environment` has all variables.
    package init(folder: String, environment: [String: String], streams: Streams) {
        (self.folder, ownEnvironment, self.streams) = (folder, environment, streams)
        memory = RunMemory()
    }

    /// The variables; those of the process are copied each time.
    package var environment: [String: String] {
        ownEnvironment ?? ProcessInfo.processInfo.environment
    }

    package var folderPath: String { folder ?? FileManager.default.currentDirectoryPath }

    /// The absolute path of a path; links and dots in it stay.
    package func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : folderPath + "/" + path
    }

    package func resolved(_ path: String) -> String {
        guard let folder, !path.isEmpty, !path.hasPrefix("/") else { return path }
        return path == "." ? folder : folder + "/" + path
    }
}

package protocol TextSink: Sendable {
    /// Takes bytes, in the order of writing.
    func write(_ bytes: UnsafeRawBufferPointer)
}

package struct Streams: Sendable {
    package let input: [UInt8]
    package let output: any TextSink
    package let errors: any TextSink

    package init(input: [UInt8], output: any TextSink, errors: any TextSink) {
        (self.input, self.output, self.errors) = (input, output, errors)
    }

    /// The replacement of a descriptor; `nil` for a file that the process has opened.
    package func sink(for descriptor: Int32) -> (any TextSink)? {
        switch descriptor {
        case STDOUT_FILENO: output
        case STDERR_FILENO: errors
        default: nil
        }
    }
}

/// Values that live as long as a run, one of each type.
package final class RunMemory: @unchecked Sendable {
    // Only accessed under the lock.
    private var values: [ObjectIdentifier: any Sendable] = [:]
    private let lock = Lock()

    fileprivate init() {}

    /// Returns the value of a type, made on first use.
    ///
    /// Making it may require others, so nothing is locked meanwhile; of two that are made at once the first counts.
    package func value<Value: Sendable>(_ make: @autoclosure () -> Value) -> Value {
        if let known: Value = kept(nil) { return known }
        let new = make()
        return kept(new) ?? new
    }

    private func kept<Value: Sendable>(_ new: Value?) -> Value? {
        lock.lock()
        defer { lock.unlock() }
        let type = ObjectIdentifier(Value.self)
        if values[type] == nil { values[type] = new }
        return values[type] as? Value
    }
}
