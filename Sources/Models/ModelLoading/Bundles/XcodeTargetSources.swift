import Essentials
import PropertyLists

package struct TargetSources: Sendable, Hashable {
    /// The files, and the completely included folders, relative to the folder of the project.
    package var sources: [String]
    package var excluded: [String]
}

/// Reads which Swift sources a target of a `project.pbxproj` has: the files of its build phases, and its synchronized
/// folders; `nil` if the file is not a project, or has no such target.
package func swiftSources(
    ofTarget target: String,
    inProject bytes: [UInt8],
    path: String
) -> TargetSources? {
    let isXML = bytes.first == UInt8(ascii: "<")
    let value =
        isXML
        ? try? readPropertyList(Data(bytes), path: path)
        : (try? readOpenStepPropertyList(bytes, path: path))?.value
    guard let objects = value?["objects"]?.dictionary else { return nil }
    return XcodeProject(objects: objects, places: [:], path: path).sources(ofTarget: target)
}

extension XcodeProject {
    fileprivate func sources(ofTarget name: String) -> TargetSources? {
        let target = objects.keys.sorted().first { identifier in
            isa(identifier)?.hasSuffix("Target") == true
                && objects[identifier]?["name"]?.string == name
        }
        guard let target else { return nil }
        var sources: [String] = []
        var excluded: [String] = []
        for phase in strings(target, "buildPhases") where isa(phase) == "PBXSourcesBuildPhase" {
            for file in strings(phase, "files") {
                guard let reference = objects[file]?["fileRef"]?.string,
                    let place = location(of: reference)?.text, place.hasSuffix(".swift")
                else { continue }
                sources.append(place)
            }
        }
        let folders = strings(target, "fileSystemSynchronizedGroups")
        sources += folders.compactMap { location(of: $0)?.text }
        for folder in objects.keys.sorted()
        where isa(folder) == "PBXFileSystemSynchronizedRootGroup" {
            guard let base = location(of: folder)?.text else { continue }
            for set in strings(folder, "exceptions") where objects[set]?["target"]?.string == target
            {
                // For an owner these are excluded, for others included.
                let listed = strings(set, "membershipExceptions").map { "\(base)/\($0)" }
                if folders.contains(folder) {
                    excluded += listed
                } else {
                    sources += listed.filter { $0.hasSuffix(".swift") }
                }
            }
        }
        return sources.isEmpty ? nil : TargetSources(sources: sources.sorted(), excluded: excluded)
    }
}

extension PathParts {
    fileprivate var text: String { parts.isEmpty ? "." : parts.joined(separator: "/") }
}
