package import Essentials

/// A file that is written beside its destination and replaces it once it is complete.
///
/// The destination does not change until ``publish()``; the new file gets its owner, permissions and extended attributes,
/// as far as permitted. The caller handles links: a draft for a link would replace it.
package final class FileDraft {
    private let destination: String
    private let reportedPath: String
    private let folder: DraftFolder
    private let path: String
    private var descriptor: Int32
    private let entry: UnfinishedFiles.Entry

    /// Makes an empty file beside a destination in `folder`; errors name `reportedPath`.
    package init(
        for destination: String,
        in folder: DraftFolder,
        reportedPath: String
    ) throws(FileError) {
        (self.destination, self.folder, self.reportedPath) = (destination, folder, reportedPath)
        let path = folder.draftPath(for: destination)
        self.path = path
        // What is replaced may be secret, and the new file gets its permissions at the end.
        let rights: mode_t = exists(destination) ? 0o600 : 0o666
        let code: Int32
        (entry, descriptor, code) = UnfinishedFiles.enter {
            open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, rights)
        } removing: {
            unlink(path)
        }
        guard descriptor >= 0 else { throw .uncreatable(reportedPath, code) }
    }

    deinit {
        // After publishing this path no longer exists.
        unlink(path)
        if descriptor >= 0 { close(descriptor) }
    }

    package func write(_ bytes: some ContiguousBytes) throws(FileError) {
        guard writeAll(bytes, to: descriptor) else { throw .system(reportedPath) }
    }

    /// Synchronizes the file to disk; only its name is missing then.
    package func finish() throws(FileError) {
        copyAttributes(from: destination, to: descriptor)
        defer { descriptor = -1 }
        guard fsync(descriptor) == 0 else {
            let code = errno
            close(descriptor)
            throw .system(reportedPath, code)
        }
        // What closing reports is late news of a failed write.
        guard close(descriptor) == 0 else { throw .system(reportedPath) }
    }

    /// Whether the file has its name, even if something failed after that.
    package private(set) var isPublished = false

    /// Gives the file its name, replacing an existing one.
    package func publish() throws(FileError) {
        UnfinishedFiles.beginPublishing()
        guard rename(path, destination) == 0 else { throw .uncreatable(reportedPath) }
        isPublished = true
        try synchronizeFolder(folder.path)
    }
}

/// A folder that is filled beside its destination and appears there with all its files at once.
///
/// It replaces nothing and can be made again, so it does not wait for the disk: compiling would take a fifth longer.
package final class FolderDraft {
    private let destination: String
    private let folder: DraftFolder
    let path: String
    private var folders: Set<String> = []
    private let entry: UnfinishedFiles.Entry

    /// Makes an empty folder beside a destination that does not exist.
    package init(for destination: String, in folder: DraftFolder) throws(FileError) {
        (self.destination, self.folder) = (destination, folder)
        let path = folder.draftPath(for: destination)
        self.path = path
        let (made, code): (Int32, Int32)
        (entry, made, code) = UnfinishedFiles.enter {
            mkdir(path, 0o777)
        } removing: {
            Self.remove(path)
        }
        guard made == 0 else { throw .uncreatable(destination, code) }
    }

    deinit {
        // After publishing this path no longer exists.
        if exists(path) { try? Files.remove(at: path) }
    }

    /// Removes the folder, even while a file is being added.
    private static func remove(_ path: String) {
        for _ in 0..<20 {
            try? Files.remove(at: path)
            guard exists(path) else { return }
            usleep(10_000)
        }
    }

    /// Adds a file; its path is that below the folder.
    ///
    /// One that is to be lasting is brought to disk.
    package func add(
        _ bytes: some ContiguousBytes,
        at name: String,
        lasting isLasting: Bool = false
    ) throws(FileError) {
        UnfinishedFiles.passUnlessEnding()
        let (file, reportedPath) = ("\(path)/\(name)", "\(destination)/\(name)")
        for place in name.indices where name[place] == "/" {
            let folder = "\(path)/\(name[..<place])"
            guard folders.insert(folder).inserted else { continue }
            guard mkdir(folder, 0o777) == 0 else { throw .uncreatable(reportedPath) }
        }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .uncreatable(reportedPath) }
        guard writeAll(bytes, to: descriptor), !isLasting || fsync(descriptor) == 0 else {
            let code = errno
            close(descriptor)
            throw .system(reportedPath, code)
        }
        guard close(descriptor) == 0 else { throw .system(reportedPath) }
    }

    package func publish() throws(FileError) {
        UnfinishedFiles.beginPublishing()
        guard rename(path, destination) == 0 else { throw .uncreatable(destination) }
    }
}

/// Writes bytes to an open file, or to the replacement of a standard stream; on failure `errno` says why.
package func writeAll(_ bytes: some ContiguousBytes, to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
        if let sink = Surroundings.current.streams?.sink(for: descriptor) {
            sink.write(buffer)
            return true
        }
        var rest = buffer[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = write(descriptor, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
