import Foundation
import MomtoolReporting
import TestSupport
import Testing

struct IdentifierTests {
    /// Words in the form of an ID that are none: commands, options, verdicts, symptoms in logs, checks on a Mac.
    private static let others: Set<String> = [
        "array-not-materialized", "cast-failed", "cat-file",
        "class-in-struct", "class-not-found", "class-without-entity", "color-scheme",
        "composite-not-keyed",
        "container-not-loaded", "declared-type-not-valid", "depends-on-rows", "deployment-target",
        "destination-model",
        "diff-tree", "dry-run", "entity-hashes", "equals-momc", "file-not-opened", "for-each-ref",
        "future-backing-data", "hash-modifier", "history-token-expired", "history-tracking-off",
        "length-only", "ls-files", "lightweight-though-undocumented", "lock-while-suspended",
        "loses-data",
        "mapc-no-warnings", "migration-off", "missing-object", "model-loaded-twice", "model-types",
        "momc-hashes", "momc-renamings", "needs-custom-stage", "new-version", "nil-model",
        "no-account", "no-action", "no-active-container", "no-current-version",
        "no-delete-rule-warnings",
        "no-effect-on-hash", "no-entities", "no-inverse-relationship-warnings",
        "no-max-property-count-warnings", "no-warnings", "not-queryable", "object-invalidated",
        "objective-c", "old-opens", "other-store-type", "own-migration", "own-objects",
        "relationship-not-array", "rename-version", "renaming-id", "reserved-attribute-name",
        "rev-list",
        "rev-parse", "save-failed", "set-current", "source-model", "store-added-twice",
        "store-removed", "suppress-inverse-transient-error", "swift-version", "system-out",
        "target-version", "to-many", "to-one", "two-contexts", "undo-version",
        "unknown-backing-data", "unknown-key-path", "utf-8",
    ]

    @Test func `each ID in the sources is a rule, or has its meaning in the table`() throws {
        let folder = Corpus.package.appending(path: "Sources")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
        var found: Set<String> = []
        for case let path as String in paths
        where path.hasSuffix(".swift") && !path.hasPrefix("Development/")
            && !path.hasSuffix("OtherIdentifier.swift") && !path.hasSuffix("/Removed.swift")
            && !path.contains("Verdicts/")
        {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            for match in text.matches(of: /"([a-z]+(?:-[a-z0-9]+)+)"/) {
                found.insert(String(match.output.1))
            }
        }
        let list = Data(try momtool("rules", "--format", "json").output.utf8)
        let report = try JSONSerialization.jsonObject(with: list) as? [String: Any]
        let entries = report?["rules"] as? [[String: Any]] ?? []
        let rules = Set(entries.compactMap { $0["rule"] as? String })
        let table = Set(OtherIdentifier.meanings.keys)
        #expect(found.subtracting(rules).subtracting(table).subtracting(Self.others).sorted() == [])
        #expect(table.intersection(rules).sorted() == [])
    }

    @Test func `rules says what a refusal means`() throws {
        for id in ["impossible-edit", "unknown-version", "usage"] {
            let text = try momtool("rules", id)
            #expect(text.status == 0 && text.output.hasPrefix("\(id)\n"), "\(text)")
            let json = try momtool("rules", id, "--format", "json")
            let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            #expect((report as? [String: Any])?["rule"] as? String == id)
        }
        #expect(try momtool("rules", "impossible-edits").status == 64)
    }
}
