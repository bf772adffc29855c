package import Diagnostics
import Essentials
package import ObjectModel
package import PropertyLists

extension RuleID { package static let unreadableProject: RuleID = "unreadable-project" }

/// Reads what a `project.pbxproj` says about a model; `nil` with a diagnostic when the file cannot be read.
///
/// `model` is a path relative to the folder that holds the project.
package func readXcodeProject(
    _ bytes: [UInt8],
    path: String,
    model: String
) -> Diagnosed<ProjectModel?> {
    let list: OpenStepList
    do throws(PropertyListError) { list = try projectList(bytes, path) } catch {
        if let conflict = mergeConflict(in: bytes, path: path) {
            let reason =
                "git left an unresolved merge conflict: if both sides add files or versions, keep the lines of both "
                + "and remove the markers; keep only one currentVersion line"
            return skipped(path, reason, at: conflict.location ?? FileLocation(path: path))
        }
        var place = FileLocation(path: path)
        if case .malformedText(let fault) = error { place = fault.location ?? place }
        return skipped(path, "\(error)", at: place)
    }
    guard let objects = list.value["objects"]?.dictionary else {
        return skipped(path, "the file lists no objects", at: FileLocation(path: path))
    }
    let project = XcodeProject(objects: objects, places: list.places, path: path)
    return Diagnosed(project.model(at: PathParts(model)))
}

package struct ProjectVersionGroup: Sendable, Hashable {
    package var identifier: String
    /// The identifiers of the versions, in the order of the project.
    package var children: [String]
    package var names: [String: String]
    package var current: String?
}

/// Finds the versions that a project lists for a model, by its path relative to the folder that holds the project;
/// several groups where it is listed more than once.
package func versionGroups(
    in objects: [String: PropertyList],
    path: String,
    model: String
) -> [ProjectVersionGroup] {
    let project = XcodeProject(objects: objects, places: [:], path: path)
    return project.references(to: PathParts(model), ["XCVersionGroup"]).map { identifier in
        let children = project.strings(identifier, "children")
        return ProjectVersionGroup(
            identifier: identifier,
            children: children,
            names: Dictionary(
                firstOf: children.compactMap { child in
                    project.versionName(child).map { (child, $0) }
                }
            ),
            current: objects[identifier]?["currentVersion"]?.string
        )
    }
}

private func skipped(
    _ path: String,
    _ reason: String,
    at place: FileLocation
) -> Diagnosed<ProjectModel?> {
    let message = "the project cannot be read, so it is ignored: \(reason)"
    return Diagnosed(nil, [Diagnostic(.unreadableProject, message, severity: .warning, at: place)])
}

struct XcodeProject {
    let objects: [String: PropertyList]
    let places: [String: FileLocation]
    let path: String
    /// The groups that hold other objects.
    private let parents: [String: String]

    init(objects: [String: PropertyList], places: [String: FileLocation], path: String) {
        (self.objects, self.places, self.path) = (objects, places, path)
        var parents: [String: String] = [:]
        for identifier in objects.keys.sorted() {
            for child in objects[identifier]?["children"]?.array ?? [] {
                if let child = child.string { parents[child] = identifier }
            }
        }
        self.parents = parents
    }

    /// The objects of some kinds for a file.
    func references(to wanted: PathParts, _ kinds: [String]) -> [String] {
        objects.keys.sorted().filter { identifier in
            isa(identifier).map(kinds.contains) == true && name(identifier) == wanted.parts.last
                && location(of: identifier) == wanted
        }
    }

    func model(at wanted: PathParts) -> ProjectModel {
        let found = references(to: wanted, ["XCVersionGroup", "PBXFileReference"])
        // A file that is listed twice is compiled by each target that takes either entry.
        let listed = found.first { isCompiled($0) } ?? found.first
        guard let listed else { return folderModel(at: wanted) }
        var model = ProjectModel(
            location: places[listed] ?? FileLocation(path: path),
            membership: isCompiled(listed) ? .inTarget : .inNoTarget
        )
        guard isa(listed) == "XCVersionGroup" else { return model }
        model.versions = strings(listed, "children").compactMap(versionName)
        model.currentVersion = objects[listed]?["currentVersion"]?.string.flatMap(versionName)
        return model
    }

    /// The membership of a model in a folder that the project includes completely.
    private func folderModel(at wanted: PathParts) -> ProjectModel {
        let folder = objects.keys.sorted().first { identifier in
            isa(identifier) == "PBXFileSystemSynchronizedRootGroup"
                && location(of: identifier).map { wanted.isBelow($0) } ?? false
        }
        guard let folder else {
            return ProjectModel(location: FileLocation(path: path), membership: .unlisted)
        }
        let isTaken = targets.contains {
            sources(of: $0, endings: [wanted.parts.last ?? ""])?.has(wanted.text) == true
        }
        return ProjectModel(
            location: places[folder] ?? FileLocation(path: path),
            membership: isTaken ? .inTarget : .inNoTarget
        )
    }

    /// Whether a phase of some target compiles a file, or copies it through the same compiler.
    private func isCompiled(_ file: String) -> Bool {
        targets.flatMap { strings($0, "buildPhases") }.contains { phase in
            ["PBXSourcesBuildPhase", "PBXResourcesBuildPhase"].contains(isa(phase))
                && strings(phase, "files").contains { objects[$0]?["fileRef"]?.string == file }
        }
    }

    /// The path of an object relative to the folder of the project; `nil` where the file does not tell.
    func location(of identifier: String) -> PathParts? {
        var parts: [String] = []
        var next: String? = identifier
        // No project is as deep, and a hostile one may be cyclic.
        for _ in 0..<200 {
            guard let object = next else { return PathParts(parts) }
            let path = objects[object]?["path"]?.string ?? ""
            parts = path.split(separator: "/").map(String.init) + parts
            switch objects[object]?["sourceTree"]?.string {
            case "<group>", nil: next = parents[object]
            case "SOURCE_ROOT": return PathParts(parts)
            default: return nil
            }
        }
        return nil
    }

    func isa(_ identifier: String) -> String? { objects[identifier]?["isa"]?.string }

    private func name(_ identifier: String) -> String? {
        objects[identifier]?["path"]?.string?.split(separator: "/").last.map(String.init)
    }

    fileprivate func versionName(_ identifier: String) -> String? {
        guard let name = name(identifier), name.hasSuffix(".xcdatamodel") else { return nil }
        return String(name.dropLast(".xcdatamodel".count))
    }

    func strings(_ identifier: String, _ key: String) -> [String] {
        (objects[identifier]?[key]?.array ?? []).compactMap(\.string)
    }
}

/// A path in its parts, without `.`, and with `..` only at its start.
package struct PathParts: Hashable, Sendable {
    package let parts: [String]

    package init(_ path: String) { self.init(path.split(separator: "/").map(String.init)) }

    package init(_ names: [String]) {
        parts = names.reduce(into: []) { parts, name in
            if name == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if name != "." {
                parts.append(name)
            }
        }
    }

    package func isBelow(_ folder: PathParts) -> Bool {
        parts.count > folder.parts.count && parts.starts(with: folder.parts)
    }
}

package struct TargetSources: Sendable, Hashable {
    /// The files, and the completely included folders, relative to the folder of the project.
    package var sources: [String]
    package var excluded: [String]

    /// Whether a file is one of them, or in a folder of them.
    package func has(_ file: String) -> Bool {
        func covers(_ places: [String]) -> Bool {
            places.contains { $0 == "." || file == $0 || file.hasPrefix($0 + "/") }
        }
        return covers(sources) && !covers(excluded)
    }
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
        .flatMap { project?.sources(of: $0, endings: [".swift"]) }
}

/// Reads which code and models each target of a `project.pbxproj` has, apart from tests.
package func sourcesOfTargets(inProject bytes: [UInt8], path: String) -> [TargetSources] {
    guard let project = xcodeProject(bytes, path: path) else { return [] }
    let endings = [".swift", ".m", ".mm", ".xcdatamodeld", ".xcdatamodel"]
    return project.targets.filter { target in
        let type = project.objects[target]?["productType"]?.string ?? ""
        return !type.hasSuffix("-test") && !type.hasSuffix("-testing")
    }.compactMap { project.sources(of: $0, endings: endings) }
}

private func xcodeProject(_ bytes: [UInt8], path: String) -> XcodeProject? {
    let objects = (try? projectList(bytes, path))?.value["objects"]?.dictionary
    return objects.map { XcodeProject(objects: $0, places: [:], path: path) }
}

private func projectList(_ bytes: [UInt8], _ path: String) throws(PropertyListError) -> OpenStepList
{
    bytes.first == UInt8(ascii: "<")
        ? OpenStepList(value: try readPropertyList(Data(bytes), path: path))
        : try readOpenStepPropertyList(bytes, path: path)
}

extension XcodeProject {
    fileprivate var targets: [String] {
        objects.keys.sorted().filter { isa($0)?.hasSuffix("Target") == true }
    }

    fileprivate func sources(of target: String, endings: [String]) -> TargetSources? {
        var sources: [String] = []
        var excluded: [String] = []
        let phases = strings(target, "buildPhases")
        for phase in phases where isa(phase) == "PBXSourcesBuildPhase" {
            for file in strings(phase, "files") {
                guard let reference = objects[file]?["fileRef"]?.string,
                    let place = location(of: reference)?.text,
                    endings.contains(where: place.hasSuffix)
                else { continue }
                sources.append(place)
            }
        }
        let folders = strings(target, "fileSystemSynchronizedGroups")
        sources += folders.compactMap { location(of: $0)?.text }
        for folder in objects.keys.sorted()
        where isa(folder) == "PBXFileSystemSynchronizedRootGroup" {
            guard let base = location(of: folder)?.text else { continue }
            for set in strings(folder, "exceptions") {
                let owner = objects[set]?["target"]?.string
                let phase = objects[set]?["buildPhase"]?.string
                guard owner == target || phase.map(phases.contains) == true else { continue }
                // For an owner these are excluded, for others and for single phases included.
                let listed = strings(set, "membershipExceptions").map { "\(base)/\($0)" }
                if owner == target, folders.contains(folder) {
                    excluded += listed
                } else {
                    sources += listed.filter { endings.contains(where: $0.hasSuffix) }
                }
            }
        }
        return sources.isEmpty ? nil : TargetSources(sources: sources.sorted(), excluded: excluded)
    }
}

extension PathParts {
    fileprivate var text: String { parts.isEmpty ? "." : parts.joined(separator: "/") }
}
