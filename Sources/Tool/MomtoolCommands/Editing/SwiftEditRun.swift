import Diagnostics
import Essentials
import ModelEditing
import Momtool
import ObjectModel
import MomtoolReporting

/// One call of a command that edits Swift sources: reads them, edits, writes and says what it means for stores.
struct SwiftEditRun {
    private var editor: SwiftSourceEditor
    private let model: String
    private let isDry: Bool
    private let report: OutputOptions<TextFormats>
    private var edited: ModelVersion

    init(
        _ model: String,
        isDry: Bool,
        _ report: OutputOptions<TextFormats>
    ) throws {
        (self.model, self.isDry, self.report) = (model, isDry, report)
        editor = try SwiftSourceEditor(model, isDry: isDry)
        edited = try editor.version
        Console.tell(notes: [editor.remark].compactMap(\.self))
    }

    /// Whether a text names Swift sources, for which the commands have other edits.
    static func isMeant(_ model: String) -> Bool {
        !StandardStreams.named(model).hasPrefix("-") && ModelPlace(model).holdsSwift
    }

    /// Edits the current version, or the one that is made before.
    static func edit(
        _ model: String,
        _ options: EditOptions,
        count: Int = 1,
        _ body: (inout SwiftSourceEditor) throws -> Void
    ) throws {
        var run = try SwiftEditRun(model, isDry: options.dryRun, options.report)
        if options.newVersion { try run.editor.startVersion() }
        try body(&run.editor)
        // Mistakes in the words are told before the lock is.
        if options.newVersion {
            run.editor.forgetEquality()
        } else {
            try run.editor.requireUnlocked(since: run.edited)
            Console.show([try run.editor.doubt(ofChanging: run.edited)].compactMap(\.self))
        }
        try run.finish(
            "\(count.counted("edit")) applied",
            planning: options.plan ? options.mappings : nil
        )
    }

    /// Applies edits, all or none.
    static func apply(_ edits: [ModelEdit], to model: String, _ options: EditOptions) throws {
        try edit(model, options, count: edits.count) { editor in
            for (index, edit) in edits.enumerated() {
                do {
                    try editor.apply(edit, forced: options.force)
                } catch {
                    let label = ModelEdit.label(of: index, in: edits)
                    throw CommandFailure(error).beginning(with: label)
                }
            }
        }
    }

    /// Makes a version.
    static func startVersion(
        _ model: String,
        named name: String?,
        _ options: VersionOptions
    ) throws {
        var run = try SwiftEditRun(model, isDry: options.dryRun, options.report)
        try run.editor.startVersion(named: name)
        try run.finish("made '\(run.editor.versionName)' from '\(run.edited.name)'")
    }

    private mutating func finish(_ done: String, planning mappings: MappingModelOption? = nil)
        throws
    {
        let version = try editor.version
        let before = (try? editor.bundle.predecessor(of: version)) ?? edited
        let verdict = StepVerdict(from: before, to: version).line
        let plan = mappings.map {
            EditRun.plan(of: (before, version), in: editor.bundle, at: model, $0)
        }
        let patches = try FilePatch.patches(of: editor.changes)
        var work = WorkReport(patches, isDry: isDry)
        (work.verdict, work.plan) = (verdict, plan)
        if isDry {
            Console.tell(notes: editor.remarks + [verdict])
        } else {
            try editor.write()
            work.lines.append("\(model): \(done); \(verdict)")
            Console.tell(notes: editor.remarks)
        }
        work.tellPlan(isForPeople: report.isForPeople)
        try report.deliver(work)
    }
}
