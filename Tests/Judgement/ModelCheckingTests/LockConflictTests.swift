import Diagnostics
import Foundation
import ModelChecking
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct LockConflictTests {
    private func version(_ name: String, _ attributes: String...) -> ModelLock.Version {
        let text = textModel("Item", attributes)
        let model = readModel(contents: Data(text.utf8), path: name).value
        return ModelLock.Version(ModelVersion(name: name, path: name, model: model))
    }

    private func merged(_ ours: ModelLock.Version, _ theirs: ModelLock.Version) throws -> String {
        try withFolder { folder in
            let base = version("V1", "a")
            let sides = [[base], [base, ours], [base, theirs]]
            for (name, versions) in zip(["base", "ours", "theirs"], sides) {
                try write(ModelLock(versions: versions).text, name, in: folder)
            }
            return try git("merge-file", "-p", "ours", "base", "theirs", in: folder).output
        }
    }

    @Test func `a version of each side is told at the first marker, and both are read`() throws {
        let text = try merged(version("V2", "a", "b"), version("V3", "a", "c"))
        let read = ModelLock.parse(text, path: "M.lock")
        let first = text.split(separator: "\n", omittingEmptySubsequences: false)
            .firstIndex { $0.hasPrefix("<<<<<<<") }
        #expect(read.diagnostics.count == 1, "\(read.diagnostics)")
        let told = try #require(read.diagnostics.first)
        #expect(
            told.message.hasPrefix(
                "unresolved merge conflict: our side alone has 'V2', their side alone has 'V3': keep the blocks of all"
            ),
            "\(told.message)"
        )
        #expect(told.location?.line == first.map { $0 + 1 } && told.severity == .error)
        #expect(read.value.versions.map(\.name) == ["V1", "V2", "V3"])
    }

    @Test func `one name for two models is told so, and neither is compared`() throws {
        let text = try merged(version("V2", "a", "b"), version("V2", "a", "c"))
        let read = ModelLock.parse(text, path: "M.lock")
        #expect(read.diagnostics.count == 1, "\(read.diagnostics)")
        let told = try #require(read.diagnostics.first?.message)
        #expect(told.contains("'V2' is another model on each side"), "\(told)")
        #expect(!told.contains("keep the blocks of all"), "\(told)")
        #expect(read.value.versions.map(\.name) == ["V1"])
    }

    @Test func `a marker that is left is told by itself`() throws {
        let text = ModelLock(versions: [version("V1", "a")]).text + "=======\n"
        let read = ModelLock.parse(text, path: "M.lock")
        #expect(
            read.diagnostics.map(\.message) == [
                "a marker of a merge conflict is left here: remove it"
            ]
        )
        #expect(read.value.versions.map(\.name) == ["V1"])
    }
}
