import Essentials

/// The room on the file system of an existing or future path.
package struct FileSystemRoom: Sendable, Hashable {
    package let device: UInt64
    /// The bytes that this user may still write.
    package let free: Int

    /// Queries a path, or the nearest existing folder above it; `nil` where the system does not tell.
    package init?(at path: String) {
        var place = path.isEmpty ? "." : path
        var status = stat()
        while fileStatus(place, &status) != 0 {
            guard let end = place.lastIndex(of: "/") else {
                place = "."
                guard fileStatus(place, &status) == 0 else { return nil }
                break
            }
            place = end == place.startIndex ? "/" : String(place[..<end])
            if place == "/", fileStatus(place, &status) != 0 { return nil }
        }
        var system = statvfs()
        // A pseudo file system has no blocks.
        guard fileSystemStatus(place, &system) == 0, system.f_blocks > 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        let (bytes, overflows) = UInt64(system.f_bavail)
            .multipliedReportingOverflow(by: UInt64(system.f_frsize))
        free = overflows ? .max : Int(clamping: bytes)
    }
}

/// The bytes of all files in a folder; 0 where there is none.
package func bytesOfFiles(in folder: String) -> Int {
    let names = (try? Files.names(in: folder)) ?? []
    return names.reduce(0) { $0 &+ Int(clamping: fileSize(folder + "/" + $1)) }
}

/// A number of bytes for people, such as 512 bytes, 3.4 MB or 81 GB.
package func byteWords(_ bytes: Int) -> String {
    guard bytes >= 1000 else { return bytes.counted("byte") }
    var (value, place) = (Double(bytes) / 1000, 0)
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    while value >= 999.5, place < units.count - 1 { (value, place) = (value / 1000, place + 1) }
    let tenths = Int((value * 10).rounded())
    let text = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(value.rounded()))"
    return "\(text) \(units[place])"
}
