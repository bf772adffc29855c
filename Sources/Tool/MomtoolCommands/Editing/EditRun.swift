import Essentials
import FileSystem
import ModelEditing
import ModelHashing
import ModelLoading
import Momtool
import MomtoolReporting
import ObjectModel

/// One run of a command that edits a version: reads it, applies the edits, writes and reports the effect on stores.
struct EditRun {
    private var editor: BundleEditor
    private let model: String
    private let options: EditOptions

    init(_ options: EditOptions) throws {
        let model = options.model
        guard !StandardStreams.named(model).hasPrefix("-") else {
            throw CommandFailure(usage: "a model is edited in place; name it by its path")
        }
        (self.model, self.options) = (model, options)
        editor = try BundleEditor(model, isDry: options.dryRun)
        editor.reportRemark()
        // A locked version is refused when the edits are applied: mistakes in the words are reported first.
        if options.newVersion { try editor.startVersion() }
    }

    func outline() throws -> ModelOutline {
        try Self.refusing(editor.file) { try ModelOutline(editor.contents, path: editor.file) }
    }

    func path(of words: some Sequence<String>) throws -> ElementPath {
        let outline = try outline()
        return try Self.refusing(model) { try outline.path(of: words.joined(separator: " ")) }
    }

    func refuse(_ message: String) -> CommandFailure {
        CommandFailure(.refused, editor.file, message, .impossibleEdit)
    }

    static func refusing<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as EditFault {
            throw CommandFailure(.refused, path, error.wording.commandWords, .impossibleEdit)
        }
    }

    /// Makes the edits, and ends with findings where a plan that was asked for is an error.
    mutating func finish(_ edits: [ModelEdit]) throws {
        let plan = try show(edits)
        guard plan?.isRefused != true else { throw CommandFailure(.findings, []) }
    }

    private mutating func show(_ edits: [ModelEdit]) throws -> (text: String, isRefused: Bool)? {
        try editor.apply(edits, forced: options.force, lackingInverses: true)
        Console.show(editor.findings + [editor.doubt].compactMap(\.self))
        let verdict = StepVerdict(from: editor.step.from, to: editor.step.to).line
        let plan = options.plan ? plan() : nil
        let patches = try FilePatch.patches(of: editor.changes, copying: editor.origin)
        var work = WorkReport(patches, isDry: options.dryRun)
        (work.verdict, work.plan) = (verdict, plan?.text)
        let remarks = editor.remarks
        if options.dryRun {
            Console.note(each: remarks + [verdict])
        } else {
            let fresh = editor.fresh
            try editor.write()
            if let fresh {
                work.lines.append(fresh.line(for: "made '\(editor.version.name)'", of: model))
            }
            Console.note(each: remarks)
            let done =
                patches.isEmpty ? "nothing to change" : "\(edits.count.counted("edit")) applied"
            work.lines.append("\(editor.file): \(done); \(verdict)")
        }
        work.printPlan(isForPeople: options.isForPeople)
        try options.deliver(work)
        return plan
    }

    /// The full plan of `migrate` for stores from before, or why there is none.
    private func plan() -> (text: String, isRefused: Bool) {
        do {
            let (from, to) = editor.step
            guard from.hashes != to.hashes else {
                return ("the hashes are equal: no store migrates", false)
            }
            var road = try NamedRoad(
                of: [editor.result],
                at: model,
                to: to.name,
                through: nil,
                mappings: NamedMappingModels(paths: options.mappingModels)
            )
            road.migrator = road.migrator.taking(from)
            if let plan = road.stagedPlan(from: from.checksum) {
                return (Self.lines(road.migrator.stageRemarks, plan.rendered(as: .text)), false)
            }
            let migration = try road.migrator.prediction(from: from)
            let plan = MigrationPlanReport(MigrationReport.reports(of: migration))
            let remarks = road.migrator.remarks(on: migration.route)
            return (Self.lines(remarks, plan.rendered(as: .text)), false)
        } catch { return (CommandFailure(error).messages.joined(separator: "\n"), true) }
    }

    private static func lines(_ remarks: [String], _ plan: String) -> String {
        (remarks + [plan]).joined(separator: "\n")
    }
}

extension WorkReport {
    init(_ patches: [FilePatch], isDry: Bool) {
        self.init()
        self.isDry = isDry
        for patch in patches where !patch.isEmpty {
            add(patch.newPath, patch.new == nil ? .removed : .written)
        }
        guard isDry else { return }
        patch = FilePatch.text(of: patches)
    }

    /// Prints the plan, if there is one: after the result, or beside the patch, which stays on its own.
    mutating func printPlan(isForPeople: Bool) {
        guard let plan else { return }
        guard isDry else {
            lines += plan.split(separator: "\n").map(String.init)
            return
        }
        if isForPeople { Console.complain(text: plan) }
    }
}

extension Console {
    static func note(each notes: [String]) {
        if !isQuiet { notes.forEach { complain("note: \($0)") } }
    }
}

extension FilePatch {
    /// The patches of some changes, one for each file; `origin` is a file that is copied and then edited.
    static func patches(
        of changes: [FileChange],
        copying origin: (file: String, copy: String)? = nil
    ) throws -> [FilePatch] {
        var patches: [FilePatch] = []
        for change in changes {
            switch change {
            case .write(let path, let bytes):
                let old = exists(path) ? try content(of: path) : nil
                patches.append(FilePatch(path, old: old, new: bytes))
            case .makeFolder(let path, let files):
                for name in files.keys.sorted() {
                    let place = "\(path)/\(name)"
                    guard let origin, origin.copy == place else {
                        patches.append(FilePatch(place, old: nil, new: files[name]))
                        continue
                    }
                    let old = try content(of: origin.file)
                    patches.append(
                        FilePatch(origin.file, to: place, old: old, new: files[name], isCopy: true)
                    )
                }
            case .removeFolder(let path) where FileIdentity(of: path)?.isFolder == false:
                patches.append(FilePatch(path, old: try content(of: path), new: nil))
            case .removeFolder(let path):
                for name in files(below: path) {
                    let old = try content(of: "\(path)/\(name)")
                    patches.append(FilePatch("\(path)/\(name)", old: old, new: nil))
                }
            case .renameFolder(let path, let target):
                for name in files(below: path) {
                    let (from, to) = ("\(path)/\(name)", "\(target)/\(name)")
                    let bytes = try content(of: from)
                    patches.append(FilePatch(from, to: to, old: bytes, new: bytes))
                }
            }
        }
        return patches
    }

    private static func files(below folder: String) -> [String] {
        filePaths(below: folder, endingIn: "").map { String($0.dropFirst(folder.count + 1)) }
            .sorted()
    }

    private static func content(of path: String) throws -> [UInt8] {
        do throws(FileFault) { return try readFile(path, limit: 64 << 20) } catch {
            throw CommandFailure(.ioFailed, path, error.reason, .unreadableFile)
        }
    }
}

/// The paths of files in a patch: from the root of their repository, as `git apply` takes them in any folder of it;
/// outside of a repository from this folder.
struct PatchPaths {
    private var prefixes: [String: String?] = [:]

    mutating func shown(_ path: String) -> String {
        var (folder, rest) = (parent(of: path), [lastComponent(of: path)])
        while !exists(folder), folder != parent(of: folder) {
            rest.insert(lastComponent(of: folder), at: 0)
            folder = parent(of: folder)
        }
        let prefix: String?
        if let known = prefixes[folder] {
            prefix = known
        } else {
            prefix = repositoryPrefix(of: folder)
            prefixes[folder] = .some(prefix)
        }
        if let prefix { return prefix + rest.joined(separator: "/") }
        let here = resolvedPath(".") + "/"
        let plain = path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
        let parts = plain.split(separator: "/").filter { $0 != "." }
        return (plain.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    private func lastComponent(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

extension FilePatch {
    /// The text of some patches, as `git apply` takes it, without a final line break.
    static func text(of patches: [FilePatch]) -> String {
        var paths = PatchPaths()
        let texts = patches.map { patch in
            var patch = patch
            patch.path = paths.shown(patch.path)
            patch.newPath = paths.shown(patch.newPath)
            return patch.text
        }
        return texts.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
