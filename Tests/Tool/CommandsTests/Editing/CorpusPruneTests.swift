import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

/// The older half of the versions of public apps is pruned, each app as it is.
@Suite(.enabled(if: Corpus.isPresent))
struct CorpusPruneTests {
    /// The bundles of at least three versions that stand in a repository at its newest commit.
    private static var bundles: [String] {
        let versions = Corpus.paths { $0.hasSuffix(".xcdatamodel/contents") }
        let bundles = Dictionary(grouping: versions) { path in
            path.components(separatedBy: ".xcdatamodeld/")[0] + ".xcdatamodeld"
        }
        return bundles.filter { path, versions in
            versions.count > 2 && versions[0].contains(".xcdatamodeld/")
                && !path.contains("/history/")
        }.keys.sorted()
    }

    /// Of these no version is current, as `check` says too.
    private static let undecided = ["alemar11+CoreDataPlus", "vaavud+iOS"]

    private struct Report: Decodable {
        struct Finding: Decodable {
            var rule: String
            var severity: String
        }
        var findings: [Finding]

        var rules: [String: Int] {
            findings.filter { $0.severity != "note" }.reduce(into: [:]) {
                $0[$1.rule, default: 0] += 1
            }
        }
    }

    private func check(_ folder: URL) throws -> (status: Int32, rules: [String: Int]) {
        let run = try momtool(["check", ".", "--rows", "1", "--format", "json"], in: folder)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        return (run.status, report.rules)
    }

    @Test(arguments: bundles)
    func `what stays has its hashes, and the check and the projects are as before`(
        _ path: String
    ) throws {
        let repository = String(path.prefix { $0 != "/" })
        let model = String(path.dropFirst(repository.count + 1))
        try withFolder { folder in
            let copy = folder.appending(path: "App")
            try FileManager.default.copyItem(
                at: URL(fileURLWithPath: Corpus.path(repository)),
                to: copy
            )
            #expect(try git("init", "--quiet", in: copy).status == 0)
            let place = copy.appending(path: model).path
            let old = readModelBundle(at: place).value
            let current = old.versions.firstIndex(where: \.isCurrent)
            let end = min(old.versions.count / 2, current ?? old.versions.count)
            guard end > 0 else { return }
            let before = try check(copy)
            let projects = try Self.projects(in: copy)
            let run = try momtool(
                [
                    "model", "prune", model, "--before", old.versions[end].name, "--day",
                    "2026-11-24",
                ],
                in: copy
            )
            guard run.status == 0 else {
                let isUndecided = Self.undecided.contains(repository)
                #expect(
                    isUndecided && run.errors.contains("names no current version"),
                    "\(run.errors)"
                )
                return
            }
            let new = readModelBundle(at: place).value
            // The command knows the order of the versions better than their names tell.
            let pruned = old.versions.count - new.versions.count
            #expect(pruned > 0 && !new.versions.isEmpty)
            for version in new.versions {
                let same = old.version(named: version.name)
                #expect(same?.checksum == version.checksum, "\(version.name)")
                #expect(same?.isCurrent == version.isCurrent, "\(version.name)")
            }
            let after = try check(copy)
            #expect(after.status <= before.status, "\(before.rules) \(after.rules)")
            for (rule, count) in after.rules {
                #expect(count <= before.rules[rule] ?? 0, "\(rule)")
            }
            try Self.expectOnlyGone(from: projects, in: copy, pruned)
            let lock = try momtool(["lock", model, "--check"], in: copy)
            #expect(lock.output.contains("\(pruned) pruned"), "\(lock.output)\(lock.errors)")
        }
    }

    /// Lines of projects go, and none is another one.
    private static func expectOnlyGone(
        from projects: [String: [String]],
        in folder: URL,
        _ pruned: Int
    ) throws {
        for (file, lines) in try Self.projects(in: folder) {
            let rest = projects[file]?.difference(from: lines)
            #expect(rest?.removals.isEmpty == true, "\(file)")
            let gone = rest?.insertions.count ?? 0
            #expect(
                gone == 0 || gone >= 2 * pruned,
                "\(file): \(gone) lines of \(pruned) versions"
            )
        }
    }

    private static func projects(in folder: URL) throws -> [String: [String]] {
        var projects: [String: [String]] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: folder.path)
            ?? .init()
        where path.hasSuffix(".pbxproj") {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            projects[path] = text.components(separatedBy: "\n")
        }
        return projects
    }
}
