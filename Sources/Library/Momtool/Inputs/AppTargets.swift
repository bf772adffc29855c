import Diagnostics
import Essentials
import FileSystem
import ModelLoading
import SettingsFiles

/// What the package and the projects in a folder say about their targets, apart from those of tests; each file is read
/// once in a run.
struct AppTargets: Sendable, Hashable {
    let folder: String

    /// Those of the nearest package around a file, by its absolute path; `nil` outside of packages.
    static func ofPackage(around file: String) -> AppTargets? {
        var folder = parent(of: file)
        while folder != "/", !exists(folder + "/Package.swift") { folder = parent(of: folder) }
        return folder == "/" ? nil : AppTargets(folder: folder)
    }

    /// Those of the nearest package or project around a file or a folder, by its absolute path.
    static func nearest(to path: String) -> AppTargets? {
        projectFolder(around: parent(of: path)).map { AppTargets(folder: $0) }
    }

    /// The targets of the package, as far as its manifest shows them.
    var ofPackage: [PackageTarget] {
        Surroundings.current.memory.found(for: self) {
            leadsOut(manifest) ? [] : readPackageTargets(text(of: manifest), in: folder)
        }
    }

    /// The projects here that list targets.
    var projects: [String] {
        ((try? Files.names(in: folder)) ?? []).filter(isTargetList).map(path)
            .filter { !leadsOut($0) }
    }

    /// The folder of the innermost target of the package around a file, by its absolute path; `nil` if it is in none.
    func targetFolder(around file: String) -> String? {
        if let target = target(around: file) { return target.folder }
        // The manifest may compute its targets.
        let inner = file.dropFirst(folder.count + 1).split(separator: "/")
        return inner.count > 2 && inner[0] == "Sources" ? "\(folder)/Sources/\(inner[1])" : nil
    }

    private func target(around file: String) -> PackageTarget? {
        ofPackage.filter { file.hasPrefix($0.folder + "/") }
            .max { $0.folder.count < $1.folder.count }
    }

    /// Where the package keeps a file, by its absolute path, out of the target around it; `nil` if it does not: a target
    /// compiles all models in its folder.
    func exclusion(of file: String) -> FileLocation? {
        guard let target = target(around: file),
            target.excluded.contains(where: { file == $0 || file.hasPrefix($0 + "/") })
        else { return nil }
        return FileLocation(path: pathFromHere(manifest), line: target.exclusionLine)
    }

    /// The files among some of each target of the projects that has some.
    func files(among all: some Sequence<String>) -> [Set<String>] {
        let root = resolvedPath(folder)
        let files = all.compactMap { file in
            relativePath(of: resolvedPath(file), from: root).map { (file, $0) }
        }
        return ofProjects.map { has in Set(files.filter { has($0.1) }.map(\.0)) }
            .filter { !$0.isEmpty }
    }

    /// Whether a target of the projects has all of some files; `nil` if some are in none of them.
    func haveTogether(_ all: [String]) -> Bool? {
        let targets = files(among: all)
        return Set(targets.joined()).isSuperset(of: all)
            ? targets.contains { $0.isSuperset(of: all) } : nil
    }

    /// Whether each target of the projects has a file, by its path from the folder.
    private var ofProjects: [@Sendable (String) -> Bool] {
        Surroundings.current.memory.found(for: self) { projects.flatMap(targets) }
    }

    private func targets(of project: String) -> [@Sendable (String) -> Bool] {
        if project.hasSuffix(".swift") { return readTuistTargets(text(of: project)) }
        if project.hasSuffix(".yml") {
            return readXcodeGenTargets(text(of: project), path: project)
        }
        let file = project + "/project.pbxproj"
        let bytes = leadsOut(file) ? nil : try? readFile(file, limit: 64 << 20)
        return sourcesOfTargets(inProject: bytes ?? [], path: file).map { target in
            { target.has($0) }
        }
    }

    private var manifest: String { path("Package.swift") }

    private func path(_ name: String) -> String { folder == "." ? name : "\(folder)/\(name)" }
}

func isTargetList(_ name: String) -> Bool {
    ["project.yml", "Project.swift"].contains(name) || name.hasSuffix(".xcodeproj")
}

/// The text of a file of a project; empty where it cannot be read.
func text(of path: String) -> String {
    (try? readFile(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) } ?? ""
}

/// Returns the files outside of a package's target that open or migrate stores and import it, without declaring models.
///
/// A package may have its plans in another target, and the app its containers in its own folder.
func importers(ofTarget folder: String) -> [String] {
    let place = resolvedPath(folder)
    let package = AppTargets.nearest(to: place)
    let usual = parent(of: place).hasSuffix("/Sources") ? PathParts(place).parts.last : nil
    guard let root = repositoryFolder(around: place) ?? package?.folder,
        let module = package?.ofPackage.first(where: { $0.folder == place })?.name ?? usual
    else { return [] }
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
