import Momtool
import ModelHashing
import ObjectModel
import MomtoolReporting

/// Makes a version of Swift sources: reads them, edits, writes and reports the effect on stores.
enum SwiftVersionRun {
    static func isMeant(_ model: String) -> Bool {
        !StandardStreams.named(model).hasPrefix("-") && ModelPlace(model).holdsSwift
    }

    static func startVersion(
        _ model: String,
        named name: String?,
        asOf revision: String?,
        _ options: VersionOptions
    ) throws {
        var editor = try SwiftSourceEditor(model, isDry: options.dryRun)
        let old = try editor.version
        Console.note(each: [editor.remark].compactMap(\.self))
        if let revision {
            try editor.restoreVersion(of: revision, named: name)
        } else {
            try editor.startVersion(named: name)
        }
        let version = try editor.version
        let before = (try? editor.bundle.predecessor(of: version)) ?? old
        let title =
            revision.map { "made '\(before.name)' as of \($0), checksum \(before.checksum)" }
            ?? "made '\(version.name)' from '\(old.name)'"
        let verdict = StepVerdict(from: before, to: version).line
        var work = WorkReport(try FilePatch.patches(of: editor.changes), isDry: options.dryRun)
        work.verdict = verdict
        if options.dryRun {
            Console.note(each: editor.remarks + [verdict])
        } else {
            try editor.write()
            work.lines.append("\(model): \(title); \(verdict)")
            Console.note(each: editor.remarks)
        }
        try options.deliver(work)
    }
}
