import Diagnostics

/// What to do when two branches added a version of one name.
struct VersionAdvice {
    let message: String
    private(set) var notes: [Wording]

    init(path: String, checksums: (ours: String, theirs: String)) {
        let folder = path.split(separator: "/").last { $0.hasSuffix(".xcdatamodel") }
        let name = folder.map { String($0.dropLast(".xcdatamodel".count)) }
        let title = name.map { "the version '\($0)'" } ?? "a version with this name"
        message = "both sides add \(title), but their models differ"
        let isEqual = checksums.ours == checksums.theirs
        let hashes =
            isEqual
            ? "both have the checksum \(checksums.ours): a store of one opens with the other;"
                + " keep either of them"
            : "they have the checksums \(checksums.ours) (ours) and \(checksums.theirs) (theirs):"
                + " a store of one does not open with the other"
        notes = [
            Wording(hashes),
            """
            the version that shipped keeps its name (ours, if neither did); rename the folder of the other to the next \
            free number, and repeat its changes on top of the first
            """,
            """
            a new name changes no hash; repeating the changes changes the hashes of the edited entities, which is \
            harmless until the version ships
            """,
            "then name the new folder in .xccurrentversion, in the project and in the lock",
        ]
        let suffix = ".xcdatamodeld"
        guard let end = path.firstRange(of: suffix + "/"), path.hasSuffix("/contents") else {
            return
        }
        let bundle = path[..<end.lowerBound] + suffix
        notes.append(
            """
            if ours did not ship, make our changes on top of theirs: \(.bringingOver(path: String(bundle), source: path))
            """
        )
    }
}
