import FileSystem

/// Where a command writes the results for its stores: no report and no journal may be there.
///
/// The results need not be there yet. There may be a million, so they are compared with the few other outputs one by
/// one, and none is kept.
package struct ResultPlaces {
    private let paths: [String]
    /// The folder or file that the paths begin with, as named and with all links resolved.
    private let root: (named: String, resolved: String)

    package init(_ paths: [String], below root: String) {
        self.paths = paths
        self.root = (root, resolvedPath(root))
    }

    /// Whether a path without links would be a result, one of the files beside it, or in their way.
    package func meet(_ path: String) -> Bool {
        var (stores, stems): (Set<String>, Set<String>) = ([], [])
        let folders = sequence(first: path) { path in
            path == "/" || !path.contains("/") ? nil : parent(of: path)
        }
        for place in folders {
            stores.insert(place)
            for suffix in ["-wal", "-shm", "-journal"] where place.hasSuffix(suffix) {
                stores.insert(String(place.dropLast(suffix.count)))
            }
            let name = place.dropFirst(parent(of: place).count).drop { $0 == "/" }
            if name.hasPrefix("."), name.hasSuffix("_SUPPORT") {
                let stem = name.dropFirst().dropLast("_SUPPORT".count)
                stems.insert(parent(of: place) + "/" + stem)
            }
        }
        return paths.contains { result in
            let result = root.resolved + result.dropFirst(root.named.count)
            return stores.contains(result) || result.hasPrefix(path + "/")
                || !stems.isEmpty && stems.contains(withoutExtension(result))
        }
    }

    private func withoutExtension(_ path: String) -> String {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return path }
        return String(path[..<dot])
    }
}
