import CFileSystem
import Essentials

package final class OpenFile {
    let descriptor: Int32
    let path: String

    /// Opens what is at a path; a new file is only for this user.
    package init(_ path: String, _ flags: Int32) throws(FileError) {
        self.path = path
        descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(path) }
    }

    deinit { close(descriptor) }

    package func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .system(path) }
    }
}

/// Synchronizes the names in a folder to disk.
///
/// Some file systems cannot do that for folders, or refuse it; the names exist all the same.
package func synchronizeFolder(_ path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) != 0, [EIO, ENOSPC, EDQUOT].contains(errno) else { return }
    throw .system(path)
}

/// Makes a new file share the blocks of one that is not written meanwhile; tells whether the file system could, and
/// then nothing was read.
package func shareBlocks(from path: String, to target: String) -> Bool {
    guard let source = try? OpenFile(path, O_RDONLY),
        let target = try? OpenFile(target, O_WRONLY | O_CREAT)
    else { return false }
    return file_share_blocks(source.descriptor, target.descriptor) == 0
}

package func copyContent(of path: String, to target: String) throws(FileError) {
    let source = try OpenFile(path, O_RDONLY)
    let copy = try OpenFile(target, O_WRONLY | O_CREAT | O_EXCL)
    try copyContent(from: source, to: copy)
}

private func copyContent(from source: OpenFile, to copy: OpenFile) throws(FileError) {
    guard file_share_blocks(source.descriptor, copy.descriptor) != 0 else { return }
    guard copyBytes(from: source.descriptor, to: copy.descriptor) else { throw .system(copy.path) }
}

/// Copies a file to a new one, with permissions, times and all metadata, and synchronizes it to disk.
package func copyFile(from path: String, to target: String) throws(FileError) {
    let source = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    let copy = try OpenFile(target, O_WRONLY | O_CREAT | O_EXCL)
    try copyContent(from: source, to: copy)
    copyAttributes(from: path, to: copy.descriptor)
    copyTimes(from: path, to: copy.descriptor)
    try copy.synchronize()
}

private func copyBytes(from source: Int32, to target: Int32) -> Bool {
    var count = 0
    repeat { count = file_transfer(source, target, 1 << 30) } while count > 0
    if count == 0 { return true }
    guard [EINVAL, ENOSYS].contains(errno) else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
        guard let start = buffer.baseAddress else { return false }
        while true {
            let count = read(source, start, buffer.count)
            guard count > 0 else { return count == 0 }
            var written = 0
            while written < count {
                let step = write(target, start + written, count - written)
                guard step > 0 else { return false }
                written += step
            }
        }
    }
}

/// The depth of a folder that is copied; Core Data makes two levels.
private let depthLimit = 16

/// Copies a folder with its contents to a new path, and synchronizes it to disk.
///
/// `depth` counts the enclosing folders being copied. `shallStop` is called before each file, and `true` ends the copying
/// with an error. After an error, the caller handles what was copied so far.
package func copyFolder(
    from path: String,
    to target: String,
    depth: Int = 0,
    stoppingWhen shallStop: () -> Bool = { false }
) throws(FileError) {
    guard mkdir(target, 0o700) == 0 else { throw .system(target) }
    for name in try names(in: path).sorted() {
        guard !shallStop() else { throw .system(target, EINTR) }
        let (from, to) = ("\(path)/\(name)", "\(target)/\(name)")
        var status = stat()
        guard lstat(from, &status) == 0 else { throw .system(from) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: try copyFile(from: from, to: to)
        case S_IFDIR where depth < depthLimit:
            try copyFolder(from: from, to: to, depth: depth + 1, stoppingWhen: shallStop)
        case S_IFLNK:
            // A copy of the link would lead elsewhere, or to files that two stores then share.
            throw .inaccessible(
                path: from,
                reason: "symbolic links are not copied; replace it with its target"
            )
        default: throw .inaccessible(path: from, reason: "neither a file nor a folder")
        }
    }
    let copy = try OpenFile(target, O_RDONLY | O_DIRECTORY)
    copyAttributes(from: path, to: copy.descriptor)
    copyTimes(from: path, to: copy.descriptor)
    try synchronizeFolder(target)
}

func names(in folder: String) throws(FileError) -> [String] {
    do { return try Files.names(in: folder) } catch {
        throw .inaccessible(path: folder, reason: "cannot be read: \(error)")
    }
}

/// Gives a file the owner, permissions and extended attributes of another file, as far as permitted.
///
/// The other one is not opened: closing it would end the locks that this process has on it.
package func copyAttributes(from source: String, to target: Int32) {
    var status = stat()
    guard fileStatus(source, &status) == 0 else { return }
    // A user who may not change a file's owner may still give it to one of their own groups.
    if fchown(target, status.st_uid, status.st_gid) != 0 {
        _ = fchown(target, uid_t.max, status.st_gid)
    }
    _ = fchmod(target, status.st_mode & 0o7777)
    let place = Surroundings.current.resolved(source)
    for name in attributeNames(of: source) {
        let size = file_get_attribute(place, name, nil, 0)
        guard size >= 0 else { continue }
        var value = [UInt8](repeating: 0, count: size)
        guard file_get_attribute(place, name, &value, size) == size else { continue }
        _ = file_set_attribute(target, name, value, size)
    }
}

private func attributeNames(of file: String) -> [String] {
    let place = Surroundings.current.resolved(file)
    let size = file_list_attributes(place, nil, 0)
    guard size > 0 else { return [] }
    var list = [CChar](repeating: 0, count: size)
    guard file_list_attributes(place, &list, size) == size else { return [] }
    return list.split(separator: 0).map { name in
        String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

package func copyTimes(from source: String, to target: Int32) {
    var status = stat()
    guard fileStatus(source, &status) == 0 else { return }
    #if canImport(Darwin)
        let times = [status.st_atimespec, status.st_mtimespec]
    #else
        let times = [status.st_atim, status.st_mtim]
    #endif
    _ = futimens(target, times)
}

/// Whether two regular files have the same length and bytes, but for `ignored` offsets, all below the first mebibyte.
package func hasSameBytes(
    _ first: String,
    _ second: String,
    ignoring ignored: [Range<Int>] = []
) throws(FileError) -> Bool {
    var (left, right) = (stat(), stat())
    guard fileStatus(first, &left) == 0 else { throw .system(first) }
    guard fileStatus(second, &right) == 0 else { throw .system(second) }
    guard left.st_mode & S_IFMT == S_IFREG, right.st_mode & S_IFMT == S_IFREG,
        left.st_size == right.st_size
    else { return false }
    let files = (try OpenFile(first, O_RDONLY), try OpenFile(second, O_RDONLY))
    var (ours, theirs) = (
        [UInt8](repeating: 0, count: 1 << 20), [UInt8](repeating: 0, count: 1 << 20)
    )
    var offset = 0
    while offset < Int(left.st_size) {
        let count = min(ours.count, Int(left.st_size) - offset)
        guard pread(files.0.descriptor, &ours, count, off_t(offset)) == count,
            pread(files.1.descriptor, &theirs, count, off_t(offset)) == count
        else { throw .system(first) }
        if offset == 0 {
            for range in ignored {
                for index in range.clamped(to: 0..<count) { ours[index] = theirs[index] }
            }
        }
        guard ours == theirs else { return false }
        offset += count
    }
    return true
}

/// Whether two folders have the same files with the same bytes; a missing folder has none.
package func hasSameFiles(_ first: String, _ second: String) throws(FileError) -> Bool {
    let files = (filesBelow(first), filesBelow(second))
    guard files.0 == files.1 else { return false }
    for name in files.0 {
        guard try hasSameBytes("\(first)/\(name)", "\(second)/\(name)") else { return false }
    }
    return true
}

private func filesBelow(_ folder: String) -> [String] {
    filePaths(below: folder, endingIn: "").map { String($0.dropFirst(folder.count + 1)) }
}
