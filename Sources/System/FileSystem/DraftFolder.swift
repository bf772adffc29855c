import Essentials

/// A folder that drafts are made in: as long as the value lives, no process takes them for leftovers.
///
/// Each process at work in a folder shares a lock on it, which the system releases when a process is killed. A process
/// that gets it exclusively knows that all drafts there are leftovers.
package final class DraftFolder {
    let path: String
    private let descriptor: Int32

    /// Removes what killed processes left for the destinations in a folder, unless another process is at work there.
    package init(_ path: String, for destinations: [String]) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A lock that another process holds, or that cannot be had here, is not waited for.
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { removeLeftovers(of: destinations) }
        _ = flock(descriptor, LOCK_SH | LOCK_NB)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Removes what killed processes left in a folder that no other program writes to, such as that of a model.
    package static func clear(_ path: String) {
        let names = (try? Files.names(in: path)) ?? []
        let stems = names.compactMap(stem(ofDraft:))
        if !stems.isEmpty { _ = DraftFolder(path, for: stems) }
    }

    func draftPath(for destination: String) -> String {
        "\(path)/.\(Self.stem(of: destination))\(Self.mark)\(UUID().uuidString)"
    }

    private func removeLeftovers(of destinations: [String]) {
        let stems = Set(destinations.map(Self.stem))
        let names = (try? Files.names(in: path)) ?? []
        for name in names where Self.stem(ofDraft: name).map(stems.contains) == true {
            try? Files.remove(at: "\(path)/\(name)")
        }
    }

    /// The stem of the destination in the name of a draft; `nil` for any other file.
    private static func stem(ofDraft name: String) -> String? {
        let beginning = name.dropLast(36)
        guard name.hasPrefix("."), beginning.hasSuffix(mark),
            UUID(uuidString: String(name.suffix(36))) != nil
        else { return nil }
        return String(beginning.dropFirst().dropLast(mark.count))
    }

    /// Differs from that of unpublished stores, which have files beside them.
    private static let mark = ".momtool-draft-"

    private static func stem(of destination: String) -> String {
        var stem = destination.split(separator: "/").last ?? ""
        while stem.utf8.count > 180 { stem.removeLast() }
        return String(stem)
    }
}
