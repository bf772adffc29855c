import FileSystem
import Essentials
import ObjectModel
import Momtool

struct OutputFile {
    var path: String
    var bytes: Data
}

struct OutputFiles {
    var path: String
    var files: [OutputFile]
    /// The extensions of files in the folder that are leftovers when they are not among `files`.
    ///
    /// Core Data would load a `.omo` from an earlier build in place of the `.mom` beside it.
    var leftoverExtensions: [String] = []
    /// Whether models are written, which replace others.
    var areModels = false

    private var isFolder: Bool { files.contains { $0.path != path } }

    /// Whether the folder does not exist yet, so that no file is replaced.
    private var isNewFolder: Bool { isFolder && !Files.exists(at: path) }

    /// Checks the paths of some outputs before anything is written.
    static func check(_ outputs: [OutputFiles], sparing inputs: InputFiles) throws {
        let reports = FailureReport.files
        if outputs.count == 1, reports.isEmpty, outputs[0].isNewFolder,
            !outputs[0].files.map(\.path).holdsDuplicates
        {
            _ = try OutputPlace(outputs[0].path, sparing: inputs, replacesModels: true)
            return
        }
        try requireDistinct(outputs.filter(\.isFolder).map(\.path))
        let files = try outputs.flatMap { try $0.places(sparing: inputs) }.compactMap(\.file)
        try requireDistinct(files + Set(reports).sorted())
    }

    private func places(sparing inputs: InputFiles) throws -> [OutputPlace] {
        try files.map { try OutputPlace($0.path, sparing: inputs, replacesModels: areModels) }
    }

    /// Writes missing files completely, a new folder with all of its files at once; returns whether any was written.
    func write() throws -> Bool {
        let folders = NewFolders()
        defer { folders.removeEmpty() }
        return try writing {
            guard isNewFolder else { return try writeInPlace(folders) }
            try makeFolder(parent(of: path), folders)
            let folder = DraftFolder(parent(of: path), for: [path])
            let draft = try FolderDraft(for: path, in: folder)
            for file in files {
                try draft.add(file.bytes, at: String(file.path.dropFirst(path.count + 1)))
            }
            try draft.publish()
            return true
        }
    }

    private func writeInPlace(_ new: NewFolders) throws -> Bool {
        let changed = try zip(files, places(sparing: InputFiles([]))).filter { file, place in
            !place.holds(file.bytes)
        }
        for (file, _) in changed { try makeFolder(parent(of: file.path), new) }
        let inFolders = Dictionary(grouping: changed.compactMap(\.1.file), by: parent)
        let folders = Dictionary(
            uniqueKeysWithValues: inFolders.map { ($0, DraftFolder($0, for: $1)) }
        )
        let drafts = try changed.map { file, place in
            let draft = try OutputDraft(place, in: place.file.flatMap { folders[parent(of: $0)] })
            try draft.write(file.bytes)
            try draft.finish()
            return draft
        }
        for draft in drafts { try draft.publish() }
        let leftovers = leftoverPaths()
        try leftovers.forEach(removeLeftover)
        return !changed.isEmpty || !leftovers.isEmpty
    }

    private func leftoverPaths() -> [String] {
        guard !leftoverExtensions.isEmpty else { return [] }
        let kept = Set(files.map(\.path))
        let names = (try? Files.names(in: path)) ?? []
        return names.filter { name in
            leftoverExtensions.contains { name.hasSuffix("." + $0) }
        }.map { path + "/" + $0 }.filter {
            !kept.contains($0) && FileIdentity(of: $0)?.isFolder != true
        }.sorted()
    }
}

private func removeLeftover(_ path: String) throws {
    guard unlink(path) != 0 else { return }
    let reason = String(cString: strerror(errno))
    throw cannotCreate(path, "a file from an earlier run cannot be removed: \(reason)")
}

private func makeFolder(_ path: String, _ folders: NewFolders) throws {
    do {
        try folders.make(path)
    } catch {
        throw cannotCreate(path, "the folder cannot be created")
    }
}
