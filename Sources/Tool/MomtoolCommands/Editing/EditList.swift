import Diagnostics
import FileSystem
import ModelCompiling
import ModelEditing
import ObjectModel

/// The edits from one version to another, as `momtool model apply` takes them.
struct EditList {
    /// The edits as YAML, without a final line break.
    let text: String

    /// Compares two versions by their files, or by generated files for compiled models.
    init(from old: ModelVersion, to new: ModelVersion) throws {
        let (before, after) = (Self.file(of: old), Self.file(of: new))
        // Generated files spell some values differently, such as 0 for 0.0: then both are generated.
        let isWhole = before != nil && after != nil
        let found = try EditRun.refusing(new.path.isEmpty ? new.name : new.path) {
            try edits(
                from: isWhole ? before ?? [] : Self.written(old),
                to: isWhole ? after ?? [] : Self.written(new),
                path: new.path
            )
        }
        let known = isWhole ? found : found.compactMap(Self.withoutTools)
        text = String(ModelEdit.text(of: known).dropLast())
    }

    /// The bytes of a version's source; `nil` where edits cannot be applied to it.
    private static func file(of version: ModelVersion) -> [UInt8]? {
        guard let identity = FileIdentity(of: version.path) else { return nil }
        let path = identity.isFolder ? version.path + "/contents" : version.path
        guard let bytes = try? readFile(path, limit: 16 << 20) else { return nil }
        return try? edited(bytes, [], path: path)
    }

    private static func written(_ version: ModelVersion) -> [UInt8] {
        Array(modelContents(of: version.model).value.utf8)
    }

    /// Leaves out what only matters to the tools that saved a file: the diagram, and their versions.
    private static func withoutTools(_ edit: ModelEdit) -> ModelEdit? {
        switch edit {
        case .set(.model, let settings):
            let own = settings.filter { $0.name == "userDefinedModelVersionIdentifier" }
            return own.isEmpty ? nil : .set(.model, own)
        case .order(_, let steps) where steps.contains { $0.kind == .diagram }: return nil
        default: return edit.path.steps.first?.kind == .diagram ? nil : edit
        }
    }
}
