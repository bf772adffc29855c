import Diagnostics
package import MigrationPlanning
import ModelCompiling
import ModelEditing
import ModelLoading
import ObjectModel

/// A version made between two others, because Core Data refuses the step from one to the other.
package struct BridgeChange: Sendable {
    package var name: String
    /// What to write: the version, and the renaming identifiers of the newer one.
    package var change: VersionChange
    package var bridge: BridgingVersion

    /// Works out the version between: its source is that of the newer version, edited, so that every other byte stays.
    package init(
        from older: String,
        to editor: BundleEditor,
        named name: String? = nil
    ) throws(MomtoolError) {
        func refusal(_ message: String) -> MomtoolError {
            MomtoolError(.refused, editor.path, message, .impossibleEdit)
        }
        try editor.requireBundle()
        let (old, new) = (try editor.bundle.chosenVersion(older), editor.source)
        let plan = MigrationPlan(from: old, to: new)
        let step = "'\(old.name)' → '\(new.name)'"
        guard !plan.isLegal else {
            throw refusal("Core Data infers the step \(step), so it needs no bridging version")
        }
        guard let bridge = BridgingVersion(for: plan) else {
            throw refusal(
                "no version between them makes \(step) possible; write a mapping model or a map"
            )
        }
        self.bridge = bridge
        self.name = try editor.bundle.checkedVersionName(
            name ?? editor.bundle.nameBetween(old.name, new.name)
        )
        let contents = try Self.edited(editor, to: bridge.model)
        var change = try VersionChange.adding(
            self.name,
            contents: contents,
            to: editor.bundle,
            makesCurrent: false
        )
        if !bridge.renamings.isEmpty {
            change.write(try Self.edited(editor, to: bridge.next), to: editor.file)
        }
        self.change = change
    }

    private static func edited(
        _ editor: BundleEditor,
        to model: ManagedObjectModel
    ) throws(MomtoolError) -> [UInt8] {
        let texts = [editor.source.model, model].map { Array(modelContents(of: $0).value.utf8) }
        let result: [UInt8]
        do throws(EditFault) {
            // New elements are placed as Xcode places them, wherever the model lists them.
            let found = try edits(from: texts[0], to: texts[1], path: editor.file).filter {
                if case .order = $0 { false } else { true }
            }
            result = try ModelEditing.edited(editor.contents, found, path: editor.file)
        } catch {
            throw MomtoolError(.refused, editor.file, saying: error.wording, .impossibleEdit)
        }
        let read = readModel(source: result, path: editor.file).value
        guard
            ModelVersion(name: "", model: read).checksum
                == ModelVersion(name: "", model: model).checksum
        else {
            let message = "the source of '\(editor.source.name)' cannot be edited safely"
            throw MomtoolError(.refused, editor.file, message, .impossibleEdit)
        }
        return result
    }
}

extension ModelBundle {
    /// A name that sorts after an older version and directly before a newer one, such as `Shop 8.5` before `Shop 9`.
    func nameBetween(_ older: String, _ newer: String) -> String {
        let digits = newer.reversed().prefix { $0.isASCII && $0.isNumber }.count
        guard let number = Int(newer.suffix(digits)), number > 0 else {
            return "\(older) to \(newer)"
        }
        let stem = newer.dropLast(digits)
        let taken = versions.map { $0.name.lowercased() }
        let half = "\(stem)\(number - 1).5"
        return taken.contains(half.lowercased()) ? "\(older) to \(newer)" : half
    }
}
