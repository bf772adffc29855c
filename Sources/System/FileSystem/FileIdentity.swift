import Essentials

/// The identity of a file, under any name.
package struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    package let isFolder: Bool
    package let isRegular: Bool

    /// Identifies the target of a path, through links; `nil` if it does not exist.
    package init?(of path: String) {
        var status = stat()
        guard fileStatus(path, &status) == 0 else { return nil }
        self.init(status)
    }

    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}
