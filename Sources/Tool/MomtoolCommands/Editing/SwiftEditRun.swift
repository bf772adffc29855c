import Diagnostics
import Essentials
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

    private func finish(_ done: String, planning mappings: MappingModelOption? = nil) throws {
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

extension SettingOptions {
    /// Returns the declaration of a property of a `@Model` class.
    ///
    /// - Parameters:
    ///   - word: the type, in the words of Xcode's inspector or of Swift.
    ///   - isForced: whether a value may be missing in existing rows.
    /// - Returns: writes the declaration of a property from its name, as Swift takes it.
    /// - Throws: `CommandFailure` for options that mean nothing there.
    func swiftDeclaration(_ word: String, forced isForced: Bool) throws -> (String) -> String {
        let types = [
            "Integer 16": "Int16", "Integer 32": "Int32", "Integer 64": "Int", "Double": "Double",
            "Float": "Float", "Decimal": "Decimal", "String": "String", "Boolean": "Bool",
            "Date": "Date", "Binary": "Data", "UUID": "UUID", "URI": "URL",
        ]
        let isType = { (sign: Character) in
            sign.isLetter || sign.isNumber || "_.[]?: <>,".contains(sign)
        }
        guard !word.isEmpty, word.allSatisfy(isType) else {
            throw CommandFailure(usage: "'\(word)' is no type of Swift")
        }
        let type = types[word] ?? word
        let isOptional = optional.map { $0 == .yes } ?? (`default` == nil)
        guard isOptional || `default` != nil || isForced else {
            throw CommandFailure(
                usage:
                    "existing rows have no value: give --default (defaultValueString in a list of edits), or make it optional"
            )
        }
        let value = try `default`.map { try Self.literal($0, of: type) }
        let options = [
            unique(external, ".externalStorage"), unique(encrypted, ".allowsCloudEncryption"),
            unique(preserved, ".preserveValueOnDeletion"), unique(spotlight, ".spotlight"),
        ].compactMap(\.self)
        let attribute = options.isEmpty ? "" : "@Attribute(\(options.joined(separator: ", "))) "
        return { name in
            let mark = isOptional && !type.hasSuffix("?") ? "?" : ""
            return "\(attribute)var \(name): \(type)\(mark)" + (value.map { " = \($0)" } ?? "")
        }
    }

    private func unique(_ truth: Truth?, _ word: String) -> String? {
        truth == .yes ? word : nil
    }

    private static let literalTypes = [
        "String", "Bool", "Int16", "Int32", "Int", "Double", "Float", "Decimal",
    ]

    /// A value as Swift writes it.
    private static func literal(_ text: String, of type: String) throws -> String {
        switch type {
        case "String":
            guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else { break }
            return "\"\(text.backslashed)\""
        case "Bool":
            guard let truth = Truth(argument: text) else { break }
            return truth == .yes ? "true" : "false"
        case "Int16", "Int32", "Int":
            guard let number = Int(text) else { break }
            return String(number)
        case "Double", "Float", "Decimal":
            guard let number = Double(text), number.isFinite, !text.hasPrefix("+") else { break }
            return text
        default:
            guard text.hasPrefix("."), text.dropFirst().allSatisfy({ $0.isLetter || $0.isNumber })
            else {
                let known = ["Date", "Data", "UUID", "URL"]
                guard !known.contains(type) else { break }
                let near = suggestion(for: type, among: literalTypes + known)
                throw CommandFailure(
                    usage: "there is no type '\(type)' that '\(text)' could be a value of\(near)"
                )
            }
            return text
        }
        throw CommandFailure(usage: "'\(text)' is no default value of a property of type \(type)")
    }
}
