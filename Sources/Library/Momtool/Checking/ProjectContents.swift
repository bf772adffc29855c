package import Diagnostics
import Essentials
import FileSystem
import ModelLoading
import SettingsFiles
import SwiftDataReading

/// The files below a folder that have to do with models, found in one walk.
package struct ProjectContents: Sendable, Hashable {
    package var folders: [String] = []
    /// The models: bundles of versions, and single versions.
    package var models: [String] = []
    /// The locks, also those without a model.
    package var locks: [String] = []
    package var mappingModels: [String] = []
    package var cases: [String] = []
    package var corpora: [String] = []
    package var stages: [String] = []
    package var hasSwiftModels = false
    /// The folders with Swift sources that declare models, apart from those above, each read as one model.
    package var swiftFolders: [String] = []
    /// The targets of packages with their own versions, separate from other targets.
    private var targets: Set<String> = []
    private var versionFiles: [String] = []
    /// The folders of targets that manifests of packages name.
    private var packageTargets: [String] = []
    /// The Swift files that declare models, with the names of their classes.
    private var modelFiles: [String: Set<String>] = [:]
    /// The folders with projects that list targets.
    private var projectFolders: Set<String> = []
    /// The managed-object classes of Swift without a name of their own in Objective-C.
    package var classes: [String: FileLocation] = [:]
    package var workflows: [String] = []

    /// Searches a folder, but skips compiler output, hidden folders and those of package managers.
    package init(below folder: String) {
        let root = trimmedPath(folder)
        folders = [root]
        search(root, depth: 0)
        let workflows = (root == "." ? "" : root + "/") + ".github/workflows"
        let names = (try? Files.names(in: workflows)) ?? []
        self.workflows = names.sorted().map { "\(workflows)/\($0)" }
        guard hasSwiftModels else { return }
        targets = Set(versionFiles.compactMap { target(of: $0) })
        // Two targets with a class of one name have a model each.
        var owners: [String: Set<String>] = [:]
        for (file, classes) in modelFiles {
            guard let target = target(of: file) else { continue }
            for name in classes { owners[name, default: []].insert(target) }
        }
        if owners.values.contains(where: { $0.count > 1 }) {
            targets.formUnion(owners.values.joined())
        }
        if targets.count > 1 {
            targets.formUnion(modelFiles.keys.compactMap { appFolder(of: $0, below: root) })
        } else if let apart = foldersOfXcodeTargets(below: root) {
            targets = apart
        }
        targets = targets.filter { !isExcluded(target: $0) }
        let folders = targets.count > 1 ? targets.sorted() : [folder]
        // Where there are only sources, they are named as other models are.
        if models.isEmpty { models = folders } else { swiftFolders = folders }
    }

    /// Looks below the folders among some paths and takes the other paths as models, each once.
    package init(of paths: [String]) {
        var seen: Set<String> = []
        for argument in paths where seen.insert(resolvedPath(argument)).inserted {
            let argument = namingBundle(argument)
            let path = trimmedPath(argument)
            if FileIdentity(of: path)?.isFolder == true, !isModelBundle(path) {
                add(ProjectContents(below: path))
            } else {
                models.append(argument)
            }
        }
    }

    package func places(_ swift: SwiftSettings) -> [ModelPlace] {
        models.map { ModelPlace($0, swift: swift) }
            + swiftFolders.map { ModelPlace(swiftSourcesBelow: $0, swift: swift) }
    }

    package var isEmpty: Bool { models.isEmpty && cases.isEmpty && locks.isEmpty }

    private mutating func add(_ other: ProjectContents) {
        folders += other.folders
        models += other.models
        swiftFolders += other.swiftFolders
        locks += other.locks
        mappingModels += other.mappingModels
        cases += other.cases
        corpora += other.corpora
        stages += other.stages
        classes.merge(other.classes) { first, _ in first }
    }

    private mutating func search(_ folder: String, depth: Int) {
        guard depth < 64 else { return }
        let names = (try? Files.names(in: folder)) ?? []
        for name in names.sorted() where !isPassedOver(name) {
            let path = folder == "." ? name : "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            if isTargetList(name) { projectFolders.insert(folder) }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                if name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") {
                    models.append(path)
                } else if name.hasSuffix(".xcmappingmodel") {
                    mappingModels.append(path)
                } else if !isTargetList(name) {
                    search(path, depth: depth + 1)
                }
            case S_IFREG: add(file: path, named: name)
            default: break
            }
        }
    }

    private mutating func add(file path: String, named name: String) {
        if LockFile.isLock(path) {
            locks.append(path)
        } else if name.hasSuffix(".cdm") {
            mappingModels.append(path)
        } else if name == "case.yml" {
            cases.append(path)
        } else if name == "corpus.json" {
            corpora.append(path)
        } else if name.hasSuffix(".yml") || name.hasSuffix(".yaml") {
            // Other tools have stages too; momtool's are lightweight or custom.
            let text = text(of: path)
            let lines = text.split(whereSeparator: \.isNewline)
            guard lines.contains(where: { $0.hasPrefix("stages:") }) else { return }
            // A list may be on one line, in brackets.
            let words = text.split { $0.isWhitespace || "-[{,".contains($0) }
            let isOurs = words.contains { $0.hasPrefix("lightweight:") || $0.hasPrefix("custom:") }
            if isOurs { stages.append(path) }
        } else if name == "Package.swift" {
            let package = AppTargets(folder: parent(of: path))
            packageTargets += package.ofPackage.map(\.folder).filter { $0 != package.folder }
        } else if name.hasSuffix(".swift") {
            // Most files mention none of this, and are not decoded.
            let wanted: SourceMentions = [.model, .managedObject, .versionedSchema]
            guard !SourceMentions.of(path).isDisjoint(with: wanted) else { return }
            let text = text(of: path).replacing("@SwiftData.Model", with: "@Model")
            let isModel = SwiftSource(path: path, bytes: Array(text.utf8)).declaresModels
            hasSwiftModels = hasSwiftModels || isModel
            if isModel {
                let names = ("\n" + text).split(separator: "@Model").dropFirst().compactMap {
                    part in
                    let words = part.prefix(200).split {
                        !($0.isLetter || $0.isNumber || $0 == "_")
                    }
                    let index = words.firstIndex(of: "class").map { $0 + 1 } ?? words.count
                    return index < words.count ? String(words[index]) : nil
                }
                modelFiles[path] = Set(names)
            }
            if text.contains("NSManaged") { addClasses(of: text, path) }
            if text.contains(": VersionedSchema") { versionFiles.append(path) }
        }
    }

    private mutating func addClasses(of text: String, _ path: String) {
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let words = line.prefix(while: { $0 != "/" && $0 != "{" })
                .split { !($0.isLetter || $0.isNumber || "_:.<".contains($0)) }.map(String.init)
                .flatMap {
                    $0.count > 1 && $0.hasSuffix(":") ? [String($0.dropLast()), ":"] : [$0]
                }
            guard let index = words.firstIndex(of: "class"), index + 3 < words.count,
                words[index + 2] == ":",
                words[index + 3] == "NSManagedObject" || text.contains("@NSManaged ")
            else { continue }
            let name = words[index + 1]
            guard !text.contains("@objc(\(name))") else { continue }
            classes[name] = FileLocation(path: path, line: number + 1)
        }
    }

    /// Whether settings leave out all of a target's classes.
    private func isExcluded(target: String) -> Bool {
        let files = modelFiles.keys.filter { $0.hasPrefix(target + "/") }
        guard !files.isEmpty, let swift = try? settings(for: target).swift else { return false }
        return files.allSatisfy(SwiftSourceChoice(swift).isExcluded)
    }

    /// The folder of the target that has a source, such as `Sources/Shop`, or that a manifest names; `nil` for none.
    private func target(of path: String) -> String? {
        let known = packageTargets.filter { path.hasPrefix($0 + "/") }
        if let inner = known.max(by: { $0.count < $1.count }) { return inner }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let index = parts.lastIndex(of: "Sources"), index + 2 < parts.count else {
            return nil
        }
        return parts[...(index + 1)].joined(separator: "/")
    }

    /// The folders of Xcode targets with classes of one name that no target shares, each outermost without the models of
    /// another; `nil` where targets share folders.
    private func foldersOfXcodeTargets(below root: String) -> Set<String>? {
        var owners: [String: [String]] = [:]
        for (file, classes) in modelFiles {
            for name in classes { owners[name, default: []].append(file) }
        }
        let repeated = owners.values.filter { Set($0.map(parent)).count > 1 }
        guard !repeated.isEmpty else { return nil }
        let targets = projectFolders.flatMap {
            AppTargets(folder: $0).files(among: modelFiles.keys)
        }
        let areApart = repeated.contains { files in
            let owners = targets.filter { !$0.isDisjoint(with: files) }
            return owners.contains { one in owners.contains { $0.isDisjoint(with: one) } }
        }
        // A target with some of the models of another, such as a widget, has no model of its own.
        let whole = Set(
            targets.filter { one in !targets.contains { $0.isStrictSuperset(of: one) } }
        )
        guard areApart, whole.count > 1 else { return nil }
        var folders: Set<String> = []
        for files in whole {
            let others = whole.subtracting([files]).joined()
            func isApart(_ folder: String) -> Bool {
                folder != root && !others.contains { $0.hasPrefix(folder + "/") }
            }
            var folder = parent(of: files.min() ?? "")
            while folder != root,
                isApart(parent(of: folder)) || !files.allSatisfy({ $0.hasPrefix(folder + "/") })
            { folder = parent(of: folder) }
            guard isApart(folder) else { return nil }
            folders.insert(folder)
        }
        return folders
    }

    /// The outermost folder around a source that no target is in, such as that of an app beside packages; `nil` within a
    /// target, for tests, and where there is none.
    private func appFolder(of path: String, below root: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let start =
            root == "." ? 0 : root.split(separator: "/", omittingEmptySubsequences: false).count
        guard !targets.contains(where: { path.hasPrefix($0 + "/") }),
            !parts.contains(where: { $0.hasSuffix("Tests") })
        else { return nil }
        let folders = parts.indices.dropFirst(start).map { parts[...$0].joined(separator: "/") }
        return folders.first { folder in
            !targets.contains { $0 == folder || $0.hasPrefix(folder + "/") }
        }
    }
}
