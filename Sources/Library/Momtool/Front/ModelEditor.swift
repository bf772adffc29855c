package import Diagnostics
package import ModelEditing
public import ObjectModel

/// Changes one version of a model, and writes nothing before ``write()``.
///
/// ```swift
/// var editor = try ModelEditor("Shop.xcdatamodeld")
/// try editor.apply([.rename("Stop.label", to: "caption"), .addAttribute("Stop.rating", .double)])
/// try editor.write()
/// ```
///
/// Bytes that no edit concerns stay as they are, and new ones are as Xcode writes them. Swift sources get new versions;
/// their `@Model` classes are changed by hand.
///
/// ## Topics
///
/// ### Reading
/// - ``init(_:version:)``
/// - ``version``
/// - ``text``
///
/// ### Editing
/// - ``startVersion(named:makesCurrent:)``
/// - ``Change``
/// - ``apply(_:following:)-([ModelEditor.Change],_)``
/// - ``apply(_:following:)-(String,_)``
///
/// ### Writing
/// - ``remarks``
/// - ``write()``
public struct ModelEditor: Sendable {
    enum Source: Sendable {
        case bundle(BundleEditor)
        case swift(SwiftSourceEditor)
    }

    private(set) var source: Source
    /// The version as it will be.
    public private(set) var version: ModelVersion
    private var isFresh = false

    /// Reads the version that a text names, such as `Shop.xcdatamodeld` or `Shop.xcdatamodeld#Shop 2`.
    ///
    /// `name` is the version's, where it is not in the path. Throws if it is not the source of a model, or not safe to
    /// write.
    public init(_ text: String, version name: String? = nil) throws(MomtoolError) {
        // An editor that is kept must not make others wait.
        if ModelPlace(text).holdsSwift {
            let editor = try SwiftSourceEditor(text, version: name, isDry: false, keepsTurn: false)
            (source, version) = (.swift(editor), try editor.version)
        } else {
            let editor = try BundleEditor(text, version: name, isDry: false, keepsTurn: false)
            (source, version) = (.bundle(editor), editor.version)
        }
    }

    package var path: String {
        switch source {
        case .bundle(let editor): editor.path
        case .swift(let editor): editor.path
        }
    }

    /// The text of the version to be written; for Swift sources, that of the files with its classes.
    public var text: String {
        switch source {
        case .bundle(let editor): String(decoding: editor.contents, as: UTF8.self)
        case .swift(let editor): editor.versionText
        }
    }

    /// What is left to do by hand, and other remarks on the edits since the last ``write()``, a line each.
    public var remarks: [String] {
        switch source {
        case .bundle(let editor): editor.remarks
        case .swift(let editor): editor.remarks
        }
    }

    /// Adds a version, copied from the one that was read, for the following edits.
    ///
    /// It is named as the next one when `name` is left out; one of Swift sources always becomes the current version.
    /// Throws for a model without versions, and for an invalid name.
    public mutating func startVersion(
        named name: String? = nil,
        makesCurrent: Bool = true
    ) throws(MomtoolError) {
        switch source {
        case .bundle(var editor):
            try editor.startVersion(named: name, makesCurrent: makesCurrent)
            (source, version) = (.bundle(editor), editor.version)
        case .swift(var editor):
            guard makesCurrent else {
                throw MomtoolError(
                    usage: "new stores always have the newest version of Swift sources"
                )
            }
            try editor.startVersion(named: name)
            (source, version) = (.swift(editor), try editor.version)
        }
        isFresh = true
    }

    package mutating func apply(
        _ edits: [ModelEdit],
        following advice: [Advice] = []
    ) throws(MomtoolError) {
        try following(advice) { editor throws(MomtoolError) in
            try editor.make(edits, forced: advice.contains(.force))
        }
    }

    mutating func following(
        _ advice: [Advice],
        _ change: (inout ModelEditor) throws(MomtoolError) -> Void
    ) throws(MomtoolError) {
        var copy = self
        do throws(MomtoolError) {
            if advice.contains(.startVersion), !isFresh { try copy.startVersion() }
            try change(&copy)
        } catch { throw error.following(advice) }
        self = copy
    }

    /// Makes edits; if it fails, some may have been made.
    mutating func make(_ edits: [ModelEdit], forced isForced: Bool) throws(MomtoolError) {
        switch source {
        case .bundle(var editor):
            try editor.apply(edits, forced: isForced)
            (source, version) = (.bundle(editor), editor.version)
        case .swift(let editor): throw byHand(editor.path)
        }
    }

    /// Writes all changes, or nothing; later edits continue from there.
    ///
    /// - Throws: ``MomtoolError`` if another process changed a file since it was read, and if the system refuses one of
    ///   the files.
    public mutating func write() throws(MomtoolError) {
        switch source {
        case .bundle(var editor):
            try editor.write()
            (source, version) = (.bundle(editor), editor.version)
        case .swift(var editor):
            try editor.write()
            editor.forgetRemarks()
            source = .swift(editor)
        }
        isFresh = false
    }

    func path(of element: String) throws(MomtoolError) -> ElementPath {
        switch source {
        case .bundle(let editor):
            try edit { () throws(EditFault) in
                try ModelOutline(editor.contents, path: editor.file).path(of: element)
            }
        case .swift(let editor): throw byHand(editor.path)
        }
    }

    func edit<Result>(_ body: () throws(EditFault) -> Result) throws(MomtoolError) -> Result {
        do throws(EditFault) {
            return try body()
        } catch {
            throw refusal(error.wording)
        }
    }

    func refusal(_ wording: Wording) -> MomtoolError {
        switch source {
        case .bundle(let editor):
            MomtoolError(.refused, editor.file, saying: wording, .impossibleEdit)
        case .swift(let editor): editor.refusal(wording)
        }
    }
}
