import Essentials
import FileSystem
import PropertyLists

/// Whether an app's entitlements beside its Swift sources allow CloudKit.
///
/// A SwiftData container is then mirrored by default. The entitlements are below the folder of the sources, or in one
/// above it up to the root of the repository.
func entitlesCloudKit(around sources: String) -> Bool {
    entitlementFiles(around: sources).contains(where: allowsCloudKit)
}

package func entitlementFiles(around sources: String) -> [String] {
    var files: [String] = []
    let place = resolvedPath(sources)
    if FileIdentity(of: place)?.isFolder == true {
        files = filePaths(below: place, endingIn: entitlements)
    }
    var folder = parent(of: place)
    var above: [String] = []
    for _ in 0..<levelLimit {
        let names = (try? Files.names(in: folder)) ?? []
        above += names.filter { $0.hasSuffix(entitlements) }.map { "\(folder)/\($0)" }
        if exists(folder + "/.git") {
            files += above
            break
        }
        guard folder != "/" else { break }
        folder = parent(of: folder)
    }
    return Array(files.prefix(fileLimit))
}

private let entitlements = ".entitlements"
/// The most levels above the sources up to the repository, and the most files that are checked.
private let levelLimit = 8
private let fileLimit = 50

package func allowsCloudKit(_ path: String) -> Bool {
    guard let bytes = try? readFile(path, limit: 1 << 20),
        let list = try? readPropertyList(Data(bytes), path: path),
        case .array(let services)? = list["com.apple.developer.icloud-services"]
    else { return false }
    // Without a container nothing is mirrored.
    if case .array(let containers)? = list["com.apple.developer.icloud-container-identifiers"],
        containers.isEmpty
    {
        return false
    }
    return services.contains { service in
        if case .string(let name) = service { name.hasPrefix("CloudKit") } else { false }
    }
}
