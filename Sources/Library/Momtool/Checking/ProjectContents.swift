package import Diagnostics
import Essentials
import FileSystem

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
    /// The targets with models, by the names of their classes.
    private var owners: [String: Set<String>] = [:]
    /// The Swift files that declare models.
    private var modelFiles: [String] = []
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
        // Two targets with a class of one name have a model each.
        if owners.values.contains(where: { $0.count > 1 }) {
            targets.formUnion(owners.values.joined())
        }
        if targets.count > 1 {
            targets.formUnion(modelFiles.compactMap { appFolder(of: $0, below: root) })
        }
        let folders = targets.count > 1 ? targets.sorted() : [folder]
        // Where there are only sources, they are named as other models are.
        if models.isEmpty { models = folders } else { swiftFolders = folders }
    }

    /// Looks below the folders among some paths and takes the other paths as models, each once.
    package init(of paths: [String]) {
        var seen: Set<String> = []
        for argument in paths where seen.insert(resolvedPath(argument)).inserted {
            let path = trimmedPath(argument)
            if FileIdentity(of: path)?.isFolder == true, !isModelBundle(path) {
                add(ProjectContents(below: path))
            } else {
                models.append(argument)
            }
        }
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
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                if name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") {
                    models.append(path)
                } else if name.hasSuffix(".xcmappingmodel") {
                    mappingModels.append(path)
                } else {
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
        } else if name.hasSuffix(".swift") {
            // Most files mention none of this, and are not decoded.
            let wanted: SourceMentions = [.model, .managedObject, .versionedSchema]
            guard !SourceMentions.of(path).isDisjoint(with: wanted) else { return }
            let text = text(of: path)
            let isModel = declaresModel(text)
            hasSwiftModels = hasSwiftModels || isModel
            if isModel { modelFiles.append(path) }
            if isModel, let target = target(of: path) {
                for part in ("\n" + text).split(separator: "@Model").dropFirst() {
                    let words = part.prefix(200).split {
                        !($0.isLetter || $0.isNumber || $0 == "_")
                    }
                    guard let index = words.firstIndex(of: "class"), index + 1 < words.count else {
                        continue
                    }
                    owners[String(words[index + 1]), default: []].insert(target)
                }
            }
            if text.contains("NSManaged") { addClasses(of: text, path) }
            if text.contains(": VersionedSchema"), let target = target(of: path) {
                targets.insert(target)
            }
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

    /// The folder of the target that has a source, such as `Sources/Shop`; `nil` for none.
    private func target(of path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let index = parts.lastIndex(of: "Sources"), index + 2 < parts.count else {
            return nil
        }
        return parts[...(index + 1)].joined(separator: "/")
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

    /// Whether a line begins with the macro, as before a class; elsewhere it is in comments and strings.
    private func declaresModel(_ text: String) -> Bool {
        text.contains("@Model")
            && text.split(whereSeparator: \.isNewline).contains { line in
                let rest = line.drop { $0 == " " || $0 == "\t" }
                return rest.hasPrefix("@Model") && !(rest.dropFirst(6).first?.isLetter ?? false)
            }
    }

    private func text(of path: String) -> String {
        (try? readFile(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
