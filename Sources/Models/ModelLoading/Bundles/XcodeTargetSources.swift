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
    let project = xcodeProject(bytes, path: path)
    return project?.targets.first { project?.objects[$0]?["name"]?.string == target }
        .flatMap { project?.sources(of: $0) }
}

/// Reads which Swift sources each target of a `project.pbxproj` has, apart from tests.
package func swiftSourcesOfTargets(inProject bytes: [UInt8], path: String) -> [TargetSources] {
    guard let project = xcodeProject(bytes, path: path) else { return [] }
    return project.targets.filter { target in
        let type = project.objects[target]?["productType"]?.string ?? ""
        return !type.hasSuffix("-test") && !type.hasSuffix("-testing")
    }.compactMap(project.sources)
}

private func xcodeProject(_ bytes: [UInt8], path: String) -> XcodeProject? {
    let isXML = bytes.first == UInt8(ascii: "<")
    let value =
        isXML
        ? try? readPropertyList(Data(bytes), path: path)
        : (try? readOpenStepPropertyList(bytes, path: path))?.value
    return value?["objects"]?.dictionary.map { XcodeProject(objects: $0, places: [:], path: path) }
}

extension XcodeProject {
    fileprivate var targets: [String] {
        objects.keys.sorted().filter { isa($0)?.hasSuffix("Target") == true }
    }

    fileprivate func sources(of target: String) -> TargetSources? {
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
