import Essentials

/// When a file changed, in nanoseconds since 1970.
package struct FileTimes: Sendable, Hashable {
    /// When its content changed last, which copies may keep.
    package var content: Int64
    /// When it got its content, name or attributes last, which no copy keeps.
    package var status: Int64

    /// Takes the times of a file, following links; `nil` where there is none.
    package init?(of path: String) {
        var status = stat()
        guard fileStatus(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let (content, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (content, changed) = (status.st_mtim, status.st_ctim)
        #endif
        self.content = nanoseconds(content)
        self.status = nanoseconds(changed)
    }
}

private func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}
