import Essentials
import FileSystem

/// What of a project below a folder has to do with models: one walk finds all of it.
package struct ProjectContents: Sendable, Hashable {
    /// The folders that were looked through.
    package var folders: [String] = []
    /// The models: bundles of versions, and versions that stand alone.
    package var models: [String] = []
    /// The locks, whether or not their models are there.
    package var locks: [String] = []
    package var mappingModels: [String] = []
    /// The files of cases.
    package var cases: [String] = []
    /// The stages files.
    package var stages: [String] = []
    /// Whether there are Swift sources that declare models.
    package var hasSwiftModels = false
    /// The folders with Swift sources that declare models beside the models above, each read as a whole.
    package var swiftFolders: [String] = []
    /// The targets of packages that have versions of their own, which are apart from those of other targets.
    private var targets: Set<String> = []
    /// The paths of workflows of GitHub Actions.
    package var workflows: [String] = []

    /// Looks below a folder; what compilers made, hidden folders and those of package managers are passed over.
    package init(below folder: String) {
        let root = trimmedPath(folder)
        folders = [root]
        search(root, depth: 0)
        let workflows = (root == "." ? "" : root + "/") + ".github/workflows"
        let names = (try? Files.names(in: workflows)) ?? []
        self.workflows = names.sorted().map { "\(workflows)/\($0)" }
        guard hasSwiftModels else { return }
        let folders = targets.count > 1 ? targets.sorted() : [folder]
        // Sources that are all there is are named as other models are.
        if models.isEmpty { models = folders } else { swiftFolders = folders }
    }

    /// Looks below the folders among some paths, and takes the other ones as models; a path that comes again is one.
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

    /// Whether there is nothing to check.
    package var isEmpty: Bool { models.isEmpty && cases.isEmpty && locks.isEmpty }

    /// Adds what was found elsewhere.
    private mutating func add(_ other: ProjectContents) {
        folders += other.folders
        models += other.models
        swiftFolders += other.swiftFolders
        locks += other.locks
        mappingModels += other.mappingModels
        cases += other.cases
        stages += other.stages
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
        } else if name.hasSuffix(".yml") || name.hasSuffix(".yaml") {
            // Other tools have stages too; ours are lightweight or custom.
            let text = text(of: path)
            let lines = text.split(whereSeparator: \.isNewline)
            guard lines.contains(where: { $0.hasPrefix("stages:") }) else { return }
            // A list may stand on one line, in brackets.
            let words = text.split { $0.isWhitespace || "-[{,".contains($0) }
            let isOurs = words.contains { $0.hasPrefix("lightweight:") || $0.hasPrefix("custom:") }
            if isOurs { stages.append(path) }
        } else if name.hasSuffix(".swift") {
            let text = text(of: path)
            if !hasSwiftModels { hasSwiftModels = declaresModel(text) }
            if text.contains(": VersionedSchema"), let target = target(of: path) {
                targets.insert(target)
            }
        }
    }

    /// The folder of the target that a source is of, such as `Sources/Shop`; `nil` when it is of none.
    private func target(of path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let index = parts.lastIndex(of: "Sources"), index + 2 < parts.count else {
            return nil
        }
        return parts[...(index + 1)].joined(separator: "/")
    }

    /// Whether a line begins with the macro, as it does before a class; comments and strings speak of it elsewhere.
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
