package import Diagnostics
import Essentials
import FileSystem
package import ModelChecking
import ModelLoading
package import ObjectModel
import SettingsFiles

/// The project files around a model or a mapping model: beside it, in the folders above it, and in those beside them.
package struct ProjectFiles {
    /// The paths, from the nearest folder outwards.
    package let paths: [String]
    private let model: String

    package init(around model: String) {
        self.model = model
        let endings = [".xcdatamodeld", ".xcdatamodel", ".xcmappingmodel"]
        guard endings.contains(where: model.hasSuffix), exists(model) else {
            paths = []
            return
        }
        var found: [String] = []
        var seen: Set<String> = []
        // Only in a repository is it known how far up a project may be.
        let (folders, isRepository) = foldersUpwards(from: parent(of: resolvedPath(model)))
        for folder in folders where seen.insert(folder).inserted {
            let names = Self.names(in: folder)
            found += Self.projects(named: names, in: folder)
            guard isRepository else { continue }
            for name in names where !name.hasPrefix(".") && !name.contains(".xc") {
                let inner = folder + "/" + name
                guard seen.insert(inner).inserted, FileIdentity(of: inner)?.isFolder == true,
                    !leadsOut(inner)
                else { continue }
                found += Self.projects(named: Self.names(in: inner), in: inner)
            }
        }
        paths = found
    }

    /// People keep no projects in a folder with more files than this.
    private static let namesLimit = 2000

    /// Reads what the projects record of the model; a package between a project and the model hides its files.
    package func read() -> Diagnosed<[ProjectModel]> {
        var result = Diagnosed<[ProjectModel]>([])
        let place = resolvedPath(model)
        for path in paths {
            let isXcode = path.hasSuffix(".pbxproj")
            let folder = isXcode ? parent(of: parent(of: path)) : parent(of: path)
            guard let relative = relativePath(of: place, from: folder) else { continue }
            let read = Self.read(path, named: pathFromHere(path), model: relative)
            result.diagnostics += read.diagnostics
            guard var found = read.value else { continue }
            if found.membership == .unlisted {
                if relative.hasPrefix("../") || isOfPackage(place, below: folder) { continue }
                if !names(path) { found.loader = loader(below: folder) }
            }
            result.value.append(found)
        }
        // A package may exclude what no code loads.
        if model.contains(".xcdatamodel"), let package = AppTargets.ofPackage(around: place),
            let location = package.exclusion(of: place), let loader = loader(below: package.folder)
        {
            result.value.append(ProjectModel(location: location, membership: .inNoTarget))
            result.value[result.value.count - 1].loader = loader
        }
        return result
    }

    private static func read(
        _ path: String,
        named name: String,
        model: String
    ) -> Diagnosed<ProjectModel?> {
        let bytes: [UInt8]
        do throws(FileFault) { bytes = try readFile(path, limit: 64 << 20) } catch {
            let message = "the project cannot be read, so it is ignored: \(error.reason)"
            let place = FileLocation(path: name)
            return Diagnosed(
                nil,
                [Diagnostic(.unreadableProject, message, severity: .warning, at: place)]
            )
        }
        if path.hasSuffix(".pbxproj") { return readXcodeProject(bytes, path: name, model: model) }
        let text = String(decoding: bytes, as: UTF8.self)
        return path.hasSuffix(".yml")
            ? readXcodeGenProject(text, path: name, model: model)
            : Diagnosed(readTuistManifest(text, path: name, model: model))
    }

    private static func names(in folder: String) -> [String] {
        let names = (try? Files.names(in: folder)) ?? []
        return names.count > namesLimit ? [] : names.sorted()
    }

    private static func projects(named names: [String], in folder: String) -> [String] {
        names.filter(isTargetList).map { name in
            "\(folder)/\(name)" + (name.hasSuffix(".xcodeproj") ? "/project.pbxproj" : "")
        }.filter(exists)
    }

    private func isOfPackage(_ model: String, below project: String) -> Bool {
        var folder = parent(of: model)
        while folder != "/", folder.count >= project.count {
            let names = Self.names(in: folder)
            if names.contains(where: { $0 == "Package.swift" || $0.hasSuffix(".podspec") }) {
                return true
            }
            folder = parent(of: folder)
        }
        return false
    }

    /// Whether a project has a model of this name elsewhere.
    private func names(_ project: String) -> Bool {
        let name = Array((PathParts(model).parts.last ?? model).utf8)
        return (try? readFile(project, limit: 64 << 20))?.firstRange(of: name) != nil
    }

    /// The first line of code below a folder that loads the model by its name.
    private func loader(below folder: String) -> FileLocation? {
        let name = PathParts(model).parts.last?.split(separator: ".").first ?? ""
        let mentions: SourceMentions = [.container, .mirroringContainer]
        return AppSources.below(folder).firstLine(mentioning: mentions) { code in
            code.contains("\"\(name)\"")
                && ["Container(", "Container alloc]", "momd"].contains { code.contains($0) }
        }
    }
}

extension Linter.Result {
    /// The result with the mapping models that no target compiles, though one of the same project compiles the model.
    func addingMappingsInNoTarget() -> Linter.Result {
        let steps = bundle.versions.compactMap { from -> (String, paths: [String])? in
            guard bundle.swift == nil, let current = bundle.currentVersion else { return nil }
            let paths = mappingModels.candidates(from: from, to: current).map(\.path)
            return paths.isEmpty ? nil : (from.name, paths)
        }
        guard !steps.isEmpty else { return self }
        func projects(_ path: String) -> [ProjectModel] { ProjectFiles(around: path).read().value }
        let project = projects(bundle.path).first { $0.membership == .inTarget }?.location
        let model = resolvedPath(bundle.path)
        let package = AppTargets.ofPackage(around: model).flatMap {
            $0.exclusion(of: model) == nil ? $0 : nil
        }
        /// Where the project or the package of the model leaves out a mapping model that no other one has.
        func gap(_ path: String) -> FileLocation? {
            let projects = projects(path)
            guard projects.allSatisfy({ [.inNoTarget, .unlisted].contains($0.membership) }) else {
                return nil
            }
            return package?.exclusion(of: resolvedPath(path))
                ?? project.flatMap { own in
                    projects.contains { $0.location.path == own.path } ? own : nil
                }
        }
        let found = steps.compactMap { from, paths -> Finding? in
            let gaps = paths.compactMap(gap)
            guard gaps.count == paths.count, let place = gaps.first else { return nil }
            let message =
                "no target of the project compiles '\(paths[0])', which leads from '\(from)': an app built from it migrates "
                + "without it; add the mapping model to a target"
            return Finding(
                Diagnostic("model-not-in-target", message, severity: .warning, at: place)
            )
        }
        var result = self
        result.findings.addNew(heeded(found, bundle.versions, configuration.check))
        return result
    }
}

func relativePath(of path: String, from folder: String) -> String? {
    guard path.hasPrefix("/"), folder.hasPrefix("/") else { return nil }
    let (one, two) = (PathParts(path).parts, PathParts(folder).parts)
    let common = zip(one, two).prefix { $0 == $1 }.count
    let ups = Array(repeating: "..", count: two.count - common)
    return (ups + one.dropFirst(common)).joined(separator: "/")
}

/// Warns of what is not looked at below a folder, such as an empty submodule, with the severity of its configuration.
package func partsNotSeen(below folder: String) -> [Finding] {
    let folder = trimmedPath(folder)
    let findings =
        submoduleFolders(below: folder).compactMap { path -> Finding? in
            guard let names = try? Files.names(in: path), names.isEmpty else { return nil }
            let diagnostic = Diagnostic(
                "empty-submodule",
                "this git submodule is empty here, so its models are not checked: run git submodule init and update",
                severity: .warning,
                at: FileLocation(path: path)
            )
            return Finding(diagnostic)
        } + unseenParts(below: folder).map { Finding($0) }
    guard !findings.isEmpty, let options = try? settings(for: folder).check else { return findings }
    return settled(findings, [], options)
}

/// Finds the checked-out git submodules below a folder, with nested ones.
package func submodules(below folder: String) -> [String] {
    submoduleFolders(below: trimmedPath(folder)).filter { exists($0 + "/.git") }
        .flatMap { [$0] + submodules(below: $0) }
}

/// The folders of a repository's submodules below one of its folders, without those in skipped folders.
private func submoduleFolders(below folder: String) -> [String] {
    let place = resolvedPath(folder)
    guard let root = repositoryFolder(around: place) else { return [] }
    return submodulePaths(of: root).compactMap { path in
        let own = "\(root)/\(path)"
        guard own.hasPrefix(place + "/") else { return nil }
        let below = own.dropFirst(place.count + 1)
        guard !below.split(separator: "/").contains(where: { isPassedOver(String($0)) }) else {
            return nil
        }
        return folder == "." ? String(below) : "\(folder)/\(below)"
    }
}

func isSubmodule(_ root: String) -> Bool {
    guard let outer = repositoryFolder(around: parent(of: root)) else { return false }
    return submodulePaths(of: outer).contains { "\(outer)/\($0)" == root }
}

/// Returns the paths that the `.gitmodules` of a repository names, as git writes them.
func submodulePaths(of root: String) -> [String] {
    guard let text = try? readText(root + "/.gitmodules", limit: 1 << 20) else { return [] }
    return text.split(whereSeparator: \.isNewline).compactMap { line in
        let parts = line.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
        guard parts.count == 2, parts[0] == "path" else { return nil }
        let path = parts[1]
        return path.isEmpty || path.split(separator: "/").contains("..") ? nil : path
    }
}
