import Essentials
import FileSystem
import ModelHashing
import ModelLoading
import ObjectModel
import SwiftDataReading

/// The versions that Swift sources declared in the history of their repository, found in one pass over the commits that
/// touched them.
struct SourceHistory {
    /// A version with the commits that had it.
    struct Found {
        var name: String
        var model: ManagedObjectModel
        /// The first commit that had it.
        var first: GitHistory.Commit
        /// The last one that had it; `nil` while no commit took it away.
        var last: GitHistory.Commit?
        /// The tags that have it.
        var tags: [String] = []
    }

    /// What a version is known by.
    private struct Identity: Hashable {
        var name: String
        var hashes: ModelHashes
    }

    /// The versions, the newest first.
    var found: [Found] { order.compactMap { versions[$0] } }
    /// The entities that are not understood in some version, which is then left out.
    private(set) var gaps: Set<String> = []
    /// Whether older commits are missing.
    let isShallow: Bool

    /// A file of a folder: its path and its content, by their numbers.
    private struct FileReference {
        var path: Int32
        var content: Int32
    }

    /// What a folder held in some commits.
    private struct Folder {
        var files: [FileReference]
        var holdsModels: Bool
    }

    /// Where the sources lie, from the root of the repository.
    var path: String { places.first?.first ?? "" }

    private let objects: GitObjects
    private let places: [[String]]
    private let choice: SwiftSourceChoice
    private var states: SwiftStates
    /// The contents of files, by the names of their objects, and those names.
    private var contents: [String: Int] = [:]
    private var objectNames: [String] = []
    /// The paths of files, and their numbers.
    private var paths: [String] = []
    private var pathNumbers: [String: Int] = [:]
    private var listings: [String: [GitObjects.ListedFile]] = [:]
    private var folders: [Folder] = []
    /// The folders by their paths and objects.
    private var folderNumbers: [[String]: Int] = [:]
    /// The folders that each revision has.
    private var revisions: [String: [Int]] = [:]
    /// The versions of some folders, by their numbers.
    private var known: [[Int]: [Int]] = [:]
    /// The versions of each state, by their numbers.
    private var knownStates: [Int: [Int]] = [:]
    private var identities: [Identity: Int] = [:]
    private var models: [(name: String, model: ManagedObjectModel)] = []
    private var versions: [Int: Found] = [:]
    private var order: [Int] = []

    /// Reads the history of sources.
    ///
    /// - Parameters:
    ///   - paths: the folders and files, below the folder at hand.
    ///   - folder: a folder in the repository.
    ///   - range: the revisions that count; all of them when left out.
    ///   - options: what is said of the sources.
    ///   - progress: is called for each commit that is read, with their number and that of all.
    /// - Throws: ``GitError`` when there is no repository, or no such range.
    init(
        of paths: [String],
        in folder: String,
        range: String?,
        _ options: SwiftReadingOptions,
        progress: ((_ done: Int, _ total: Int) -> Void)?
    ) throws(GitError) {
        let timeline = try GitTimeline(
            of: paths,
            in: folder,
            range: range,
            filesEndingIn: ".swift"
        )
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

    /// Looks at the words of all files that any state has.
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
            // What was met before lived on elsewhere, and has its last commit already, or none.
            for version in try versions(at: parent) where versions[version] == nil {
                note(version, Found(models[version], last, last: last))
            }
        }
    }

    private mutating func note(_ version: Int, _ found: Found) {
        versions[version] = found
        order.append(version)
    }

    /// Returns the versions that a revision has, by their numbers.
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

    /// Returns the number of a version, the same for equal hashes; `nil` for one that is not understood.
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

    /// Returns the folders that a revision has, by their numbers: of each place the first that holds models.
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

    /// Returns the number of what a folder held.
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
        // What is missing in a partial clone is not fetched.
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
    ) {
        self.init(name: version.name, model: version.model, first: first, last: last)
    }
}
