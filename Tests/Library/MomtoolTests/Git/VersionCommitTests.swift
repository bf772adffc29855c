import FileSystem
import Foundation
import ModelEditing
import ModelLoading
import Momtool
import PropertyLists
import TestSupport
import Testing

@Suite(.enabled(if: Evidence.has("version-commits")))
struct VersionCommitTests {
    private struct Commit: CustomStringConvertible {
        var folder: String
        var bundle: String
        var projects: [String]
        var description: String

        func bytes(_ side: String, _ path: String) -> [UInt8]? {
            FileManager.default.contents(atPath: "\(folder)/\(side)/\(path)").map { [UInt8]($0) }
        }
    }

    private static func commits() throws -> [Commit] {
        let text = try String(
            contentsOfFile: Evidence.path("version-commits/commits.tsv"),
            encoding: .utf8
        )
        return text.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
                .map(String.init)
            let owner = cells[0].replacing("/", with: "+")
            return Commit(
                folder: Evidence.path("version-commits/\(owner)/\(cells[3].prefix(8))"),
                bundle: cells[6],
                projects: cells[8].split(separator: "|").map(String.init)
                    .filter { $0.hasSuffix(".pbxproj") },
                description: "\(cells[0]) \(cells[3].prefix(8))"
            )
        }
    }

    private func currentName(_ bytes: [UInt8]) -> String? {
        String(decoding: bytes, as: UTF8.self)
            .firstMatch(of: /<string>(.+)\.xcdatamodel<\/string>/)
            .map { String($0.1) }
    }

    /// Not Xcode's: two new files of people, one with spaces for tabs and one without a final newline, and a file in
    /// which no version is current any more.
    private static let otherHands = [
        "Karim-ezzedine/CartKit cb4e6cd0: other bytes",
        "bazelbuild/rules_apple 50715b07: other bytes",
        "dashpay/dashwallet-ios 12e5e9d4: no version is current any more",
    ]

    @Test func `the current version is written as Xcode wrote it`() throws {
        var (count, others): (Int, [String]) = (0, [])
        for commit in try Self.commits() {
            let file = commit.bundle + "/.xccurrentversion"
            let (old, new) = (commit.bytes("before", file), commit.bytes("after", file))
            guard let new, old != new else { continue }
            count += 1
            guard let name = currentName(new) else {
                others.append("\(commit): no version is current any more")
                continue
            }
            try withFolder { folder in
                let bundle = ModelBundle(path: folder.path, versions: [])
                let change = try VersionChange.makingCurrent(name, of: bundle)
                let path = folder.path + "/.xccurrentversion"
                if change.changes != [.write(path: path, bytes: new)] {
                    others.append("\(commit): other bytes")
                }
            }
        }
        print("\(count - others.count) of \(count) current versions byte for byte; \(others)")
        #expect(count >= 30)
        #expect(others == Self.otherHands)
    }

    private struct Listed {
        var group: ProjectVersionGroup
        var lines: [String]

        init?(_ bytes: [UInt8], _ project: String, _ bundle: String) throws {
            let objects = try readOpenStepPropertyList(bytes, path: project).value["objects"]
            let groups = versionGroups(
                in: objects?.dictionary ?? [:],
                path: project,
                model: try Self.model(bundle, from: project)
            )
            guard groups.count == 1 else { return nil }
            group = groups[0]
            lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
        }

        static func model(_ bundle: String, from project: String) throws -> String {
            let folder = project.split(separator: "/").dropLast(2)
            let parts = bundle.split(separator: "/")
            let common = zip(folder, parts).prefix { $0 == $1 }.count
            let up = Array(repeating: Substring(".."), count: folder.count - common)
            return (up + parts.dropFirst(common)).joined(separator: "/")
        }

        var names: [String] { group.children.compactMap { group.names[$0] } }
        var current: String? { group.current.flatMap { group.names[$0] } }

        /// The lines that name a version of the model, with names for identifiers; file references are sorted, as their
        /// identifiers are new.
        var stepProgram: [String] {
            let mine = lines.compactMap { line -> String? in
                let found = group.names.first { line.contains($0.key) }
                return found.map { line.replacing($0.key, with: "<\($0.value)>") }
            }
            let references = mine.filter { $0.contains("isa = PBXFileReference") }.sorted()
            return references + mine.filter { !$0.contains("isa = PBXFileReference") }
        }

        func rest(without others: Listed) -> [String] {
            let identifiers = group.children + others.group.children
            return lines.filter { line in !identifiers.contains { line.contains($0) } }
        }
    }

    private func edits(from old: Listed, to new: Listed) -> [ProjectEdit] {
        var edits: [ProjectEdit] = []
        var renamed: Set<String> = []
        for (identifier, name) in old.group.names.sorted(by: { $0.value < $1.value }) {
            guard let now = new.group.names[identifier], now != name else { continue }
            edits.append(.rename(name, to: now))
            renamed.formUnion([name, now])
        }
        let (before, after) = (Set(old.names), Set(new.names))
        for name in new.names.reversed() where !before.contains(name) && !renamed.contains(name) {
            edits.append(.add(name, makesCurrent: false))
        }
        if let current = new.current, current != old.current { edits.append(.setCurrent(current)) }
        for name in old.names where !after.contains(name) && !renamed.contains(name) {
            edits.append(.remove(name, current: new.current ?? ""))
        }
        return edits
    }

    @Test func `projects list the versions as Xcode entered them, and no other line changes`()
        throws
    {
        var (count, others): (Int, [String]) = (0, [])
        for commit in try Self.commits() {
            for project in commit.projects {
                guard let before = commit.bytes("before", project),
                    let after = commit.bytes("after", project),
                    let old = try Listed(before, project, commit.bundle),
                    let new = try Listed(after, project, commit.bundle)
                else { continue }
                let edits = edits(from: old, to: new)
                guard !edits.isEmpty else { continue }
                count += 1
                let model = try Listed.model(commit.bundle, from: project)
                var bytes = before
                for edit in edits {
                    let next = try edited(project: bytes, [edit], model: model, path: project)
                    bytes = try #require(next)
                }
                let result = try #require(try Listed(bytes, project, commit.bundle))
                #expect(result.rest(without: old) == old.rest(without: result), "\(commit)")
                if result.stepProgram != new.stepProgram { others.append("\(commit) \(project)") }
            }
        }
        print("\(count - others.count) of \(count) projects as Xcode left them; \(others)")
        #expect(count >= 20)
        #expect(others.isEmpty, "\(others)")
    }
}
