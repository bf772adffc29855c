import FileSystem
import ModelHashing
import ModelLoading
import ObjectModel
import SwiftDataReading

/// The versions that Swift sources declared in their history, found in one pass over the commits that touched them.
struct SourceHistory {
    struct Found {
        var name: String
        var model: ManagedObjectModel
        var first: GitHistory.Commit
        /// `nil` while no commit removed it.
        var last: GitHistory.Commit?
        var tags: [String] = []
    }

    private struct Identity: Hashable {
        var name: String
        var hashes: ModelHashes
    }

    var found: [Found] { order.compactMap { versions[$0] } }
    /// The entities that are not understood in some version, which is then left out.
    private(set) var gaps: Set<String> = []
    let isShallow: Bool

    /// A file of a folder by the indexes of its path and its content.
    private struct FileReference {
        var path: Int32
        var content: Int32
    }

    private struct Folder {
        var files: [FileReference]
        var holdsModels: Bool
    }

    var path: String { places.first?.first ?? "" }

    private let objects: GitObjects
    private let places: [[String]]
    private let choice: SwiftSourceChoice
    private var states: SwiftStates
    /// The indexes of files' contents by object name.
    private var contents: [String: Int] = [:]
    private var objectNames: [String] = []
    private var paths: [String] = []
    private var pathNumbers: [String: Int] = [:]
    private var listings: [String: [GitObjects.ListedFile]] = [:]
    private var folders: [Folder] = []
    private var folderNumbers: [[String]: Int] = [:]
    /// The indexes of the folders of each revision.
    private var revisions: [String: [Int]] = [:]
    /// The indexes of the versions of some folders.
    private var known: [[Int]: [Int]] = [:]
    private var knownStates: [Int: [Int]] = [:]
    private var identities: [Identity: Int] = [:]
    private var models: [(name: String, model: ManagedObjectModel)] = []
    private var versions: [Int: Found] = [:]
    private var order: [Int] = []

    /// Reads the history of sources below a folder in a repository; `progress` counts commits.
    init(
        of paths: [String],
        in folder: String,
        range: String?,
        _ options: SwiftReadingOptions,
        progress: ((_ done: Int, _ total: Int) -> Void)?
    ) throws(GitError) {
        let timeline = try GitTimeline(of: paths, in: folder, range: range, filesEndingIn: ".swift")
        isShallow = timeline.isShallow
        places = timeline.places
        objects = GitObjects.shared(at: folder)
        choice = SwiftSourceChoice(options)
        states = SwiftStates(options)
        try addContents(of: timeline)
        for (place, step) in timeline.steps.enumerated() {
            progress?(place, timeline.steps.count)
            try add(step)
        }
        for tag in timeline.tags {
            for version in try versions(at: "refs/tags/\(tag)") {
                versions[version]?.tags.append(tag)
            }
        }
    }

    /// Scans the words of all files that any state has.
    private mutating func addContents(of timeline: GitTimeline) throws(GitError) {
        for step in timeline.steps {
            _ = try folders(at: step.commit.id)
            for parent in step.parents { _ = try folders(at: parent) }
        }
        for tag in timeline.tags { _ = try folders(at: "refs/tags/\(tag)") }
        states.finishAdding()
        listings = [:]
    }

    private mutating func add(_ step: GitTimeline.Step) throws(GitError) {
        let now = try versions(at: step.commit.id)
        for version in now {
            if versions[version] == nil { note(version, Found(models[version], step.commit)) }
            versions[version]?.first = step.commit
        }
        for parent in step.parents {
            let last = GitHistory.Commit(id: parent, date: step.commit.date)
            // A version met before lived on elsewhere, and has its last commit already, or none.
            for version in try versions(at: parent) where versions[version] == nil {
                note(version, Found(models[version], last, last: last))
            }
        }
    }

    private mutating func note(_ version: Int, _ found: Found) {
        versions[version] = found
        order.append(version)
    }

    private mutating func versions(at revision: String) throws(GitError) -> [Int] {
        let held = try folders(at: revision)
        if let versions = known[held] { return versions }
        let files = held.flatMap { number in
            folders[number].files.map {
                SwiftStates.File(path: paths[Int($0.path)], content: Int($0.content))
            }
        }
        let (objects, names) = (objects, objectNames)
        let (state, read) = try states.read(files) { content throws(GitError) in
            try objects.content(of: names[content])
        }
        if let read { knownStates[state] = read.compactMap { number(of: $0) } }
        known[held] = knownStates[state] ?? []
        return known[held] ?? []
    }

    /// Returns the index of a version, the same for equal hashes; `nil` for one that is not understood.
    private mutating func number(of version: SwiftStates.Version) -> Int? {
        guard version.gaps.isEmpty else {
            gaps.formUnion(version.gaps)
            return nil
        }
        let identity = Identity(name: version.name, hashes: versionHashes(of: version.model))
        if let known = identities[identity] { return known }
        identities[identity] = models.count
        models.append((version.name, version.model))
        return models.count - 1
    }

    /// Returns the indexes of a revision's folders: of each place the first that holds models.
    private mutating func folders(at revision: String) throws(GitError) -> [Int] {
        if let known = revisions[revision] { return known }
        var found: [Int] = []
        for alternatives in places {
            for path in alternatives {
                guard let object = try objects.name(of: "\(revision):\(path)") else { continue }
                let folder = try folder(path, object)
                guard folders[folder].holdsModels else { continue }
                found.append(folder)
                break
            }
        }
        revisions[revision] = found
        return found
    }

    private mutating func folder(_ path: String, _ object: String) throws(GitError) -> Int {
        if let known = folderNumbers[[path, object]] { return known }
        var files: [SwiftStates.File] = []
        let listed = try objects.listing(of: object, isNeeded: isSwiftSource, known: &listings)
        for file in listed {
            let name = [path, file.path].filter { !$0.isEmpty }.joined(separator: "/")
            files.append(SwiftStates.File(path: name, content: try content(file.object)))
        }
        let states = states
        let own = choice.chosen(files, below: path) { file in
            file.path
        } isTest: { file in
            states.facts(of: file.content).isTest
        } holdsModels: { file in
            states.facts(of: file.content).holdsModels
        }
        folders.append(
            Folder(
                files: own.map {
                    FileReference(path: Int32(number(of: $0.path)), content: Int32($0.content))
                },
                holdsModels: own.contains { states.facts(of: $0.content).holdsModels }
            )
        )
        folderNumbers[[path, object]] = folders.count - 1
        return folders.count - 1
    }

    private mutating func content(_ object: String) throws(GitError) -> Int {
        if let known = contents[object] { return known }
        let number = states.add(try objects.content(of: object) ?? [])
        contents[object] = number
        objectNames.append(object)
        return number
    }

    private mutating func number(of path: String) -> Int {
        if let known = pathNumbers[path] { return known }
        pathNumbers[path] = paths.count
        paths.append(path)
        return paths.count - 1
    }
}

extension SourceHistory.Found {
    fileprivate init(
        _ version: (name: String, model: ManagedObjectModel),
        _ first: GitHistory.Commit,
        last: GitHistory.Commit? = nil
    ) { self.init(name: version.name, model: version.model, first: first, last: last) }
}
