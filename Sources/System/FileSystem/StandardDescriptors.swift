import Essentials

/// The number of files that a run may have open at once, several stores at a time apart.
package let fileCount = 32

/// Whether the process can open as many files; the limit is raised if possible.
package func hasRoomForFiles() -> Bool {
    var limit = rlimit()
    #if canImport(Darwin)
        let kind = RLIMIT_NOFILE
    #else
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    guard getrlimit(kind, &limit) == 0, limit.rlim_cur < rlim_t(fileCount) else { return true }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(fileCount))
    return limit.rlim_max >= rlim_t(fileCount) && setrlimit(kind, &limit) == 0
}

/// Opens the null device for standard streams that the caller of the program has closed.
///
/// Otherwise the next opened file would get the number of the stream: the program would read its own pipe as input, or
/// write its output into a file. Standard input is then empty, and writing fails as it does without a stream. It must run
/// before anything else is opened.
package func openStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
        // The lowest free number, which is this one.
        _ = open("/dev/null", O_RDONLY)
    }
}
