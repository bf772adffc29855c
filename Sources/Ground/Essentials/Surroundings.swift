/// Where work runs: the folder that relative paths start from, the environment, and the standard streams.
///
/// They are those of the process, unless a run is given its own; threads that momtool starts take them over. Several
/// runs in one process so have folders and outputs of their own, as tests need them.
package struct Surroundings: Sendable {
    /// Those of the work at hand.
    @TaskLocal package static var current = Surroundings()

    /// The absolute path of the folder that relative paths start from; `nil` for that of the process.
    package let folder: String?
    private let ownEnvironment: [String: String]?
    /// What takes the place of standard input, output and error; `nil` for those of the process.
    package let streams: Streams?
    /// What one run keeps and the next one must not see.
    package let memory: RunMemory

    /// The surroundings of the process.
    package init() {
        (folder, ownEnvironment, streams, memory) = (nil, nil, nil, RunMemory())
    }

    /// The surroundings of a run.
    ///
    /// - Parameters:
    ///   - folder: the absolute path of the folder that relative paths start from.
    ///   - environment: all variables.
    ///   - streams: what is read and written in the place of the process' streams.
    package init(folder: String, environment: [String: String], streams: Streams) {
        (self.folder, ownEnvironment, self.streams) = (folder, environment, streams)
        memory = RunMemory()
    }

    /// The variables; those of the process are copied each time.
    package var environment: [String: String] {
        ownEnvironment ?? ProcessInfo.processInfo.environment
    }

    /// The absolute path of the folder that relative paths start from.
    package var folderPath: String { folder ?? FileManager.default.currentDirectoryPath }

    /// Returns a path as the process finds it.
    package func resolved(_ path: String) -> String {
        guard let folder, !path.isEmpty, !path.hasPrefix("/") else { return path }
        return path == "." ? folder : folder + "/" + path
    }
}

/// Takes what is written to a standard stream.
package protocol TextSink: Sendable {
    /// Takes bytes, in the order in which they are written.
    func write(_ bytes: UnsafeRawBufferPointer)
}

/// What takes the place of a process' standard streams.
package struct Streams: Sendable {
    package let input: [UInt8]
    package let output: any TextSink
    package let errors: any TextSink

    package init(input: [UInt8], output: any TextSink, errors: any TextSink) {
        (self.input, self.output, self.errors) = (input, output, errors)
    }

    /// What stands for a descriptor; `nil` for a file that the process has opened.
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
    // Only ever touched under the lock.
    private var values: [ObjectIdentifier: any Sendable] = [:]
    private let lock = Lock()

    fileprivate init() {}

    /// Returns the value of a type, made when it is first asked for.
    ///
    /// What makes it may ask for others, so that nothing is locked meanwhile; of two that are made at once the first counts.
    package func value<Value: Sendable>(_ make: @autoclosure () -> Value) -> Value {
        if let known: Value = kept(nil) { return known }
        let new = make()
        return kept(new) ?? new
    }

    /// Returns the value of a type that is kept, after keeping a new one where there is none.
    private func kept<Value: Sendable>(_ new: Value?) -> Value? {
        lock.lock()
        defer { lock.unlock() }
        let type = ObjectIdentifier(Value.self)
        if values[type] == nil { values[type] = new }
        return values[type] as? Value
    }
}
