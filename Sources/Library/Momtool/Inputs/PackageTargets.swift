import FileSystem
import ModelLoading

/// Returns the targets of a package whose manifest says where their sources are, as far as its text shows it.
func placedTargets(ofPackage folder: String) -> [(name: String, folder: String)] {
    let prefix = folder == "." ? "" : folder + "/"
    let manifest = prefix + "Package.swift"
    let code = leadsOut(manifest) ? "" : codeLines(of: manifest).joined(separator: " ")
    // Dependencies may be calls in calls.
    let target =
        /(\w*)arget\(\s*name:\s*"([^"]+)",(?:[^()]|\((?:[^()]|\([^()]*\))*\))*?path:\s*"([^"]+)"/
    return code.matches(of: target).filter { $0.1 != "testT" }.compactMap { match in
        let inner = PathParts(String(match.3)).parts
        guard !inner.isEmpty, !inner.contains("..") else { return nil }
        return (String(match.2), prefix + inner.joined(separator: "/"))
    }
}

/// The folder of the package around a file.
func packageFolder(around file: String) -> String? {
    var folder = parent(of: file)
    while folder != "/", !exists(folder + "/Package.swift") { folder = parent(of: folder) }
    return folder == "/" ? nil : folder
}

/// The folder of the package's target around a file, by its absolute path; `nil` outside of packages.
func targetFolder(around file: String) -> String? {
    guard let package = packageFolder(around: file) else { return nil }
    let placed = placedTargets(ofPackage: package).map(\.folder)
        .filter { file.hasPrefix($0 + "/") }.max { $0.count < $1.count }
    let inner = file.dropFirst(package.count + 1).split(separator: "/")
    let isUsual = inner.count > 2 && inner[0] == "Sources"
    return placed ?? (isUsual ? "\(package)/Sources/\(inner[1])" : package)
}

/// The name by which other targets import the sources of a package's target; `nil` for another folder.
private func module(of target: String) -> String? {
    let package = projectFolder(around: parent(of: target))
    let placed = package.map(placedTargets)?.first { $0.folder == target }?.name
    return placed ?? (parent(of: target).hasSuffix("/Sources") ? PathParts(target).parts.last : nil)
}

/// Returns the files outside of a package's target that open or migrate stores and import it, without declaring models.
///
/// A package may have its plans in another target, and the app its containers in its own folder.
func importers(ofTarget folder: String) -> [String] {
    let place = resolvedPath(folder)
    let project = repositoryFolder(around: place) ?? projectFolder(around: parent(of: place))
    guard let root = project, let module = module(of: place) else { return [] }
    let sources = AppSources.below(root)
    func shared(_ path: String, _ folder: String) -> Int {
        zip(path.utf8, folder.utf8).prefix { $0 == $1 }.count
    }
    // Packages of other apps in the repository may have a target of the same name.
    let twins = sources.paths.filter { $0.contains("/Sources/\(module)/") }
    return sources.files.filter { path, mentions in
        mentions.contains(.plan) && mentions.isDisjoint(with: [.model, .versionedSchema])
            && !path.hasPrefix(place + "/")
            && !twins.contains { shared(path, $0) > shared(path, place) }
            && imports(module, in: path)
    }.map { folder.hasPrefix("/") ? $0.path : pathFromHere($0.path) }
}

/// Whether a source imports a module, or a part of it.
func imports(_ module: String, in path: String) -> Bool {
    let bytes = (try? readFile(path, limit: SourceMentions.sizeLimit)) ?? []
    guard bytes.firstRange(of: Array(module.utf8)) != nil else { return false }
    return codeLines(of: bytes).contains { line in
        let words = line.split(whereSeparator: \.isWhitespace)
        return words.dropLast().contains("import")
            && words.last?.prefix { $0 != "." } == module[...]
    }
}
