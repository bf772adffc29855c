import Foundation
import TestSupport
import Testing

/// Commands that say what becomes of stores say the same.
struct AgreementTests {
    private struct Answer: Decodable {
        struct Finding: Decodable {
            var rule: String?
            var severity: String?
            var element: String?
        }
        struct Writer: Decodable { var outcome: String }
        struct Case: Decodable {
            var name: String
            var status: String
            var lines: [String]
        }
        var findings: [Finding]?
        var writers: [Writer]?
        var versions: [String]?
        var cases: [Case]?
    }

    /// What the commands say of a model in a folder.
    private struct Project {
        let folder: URL
        let bundle: String

        func run(_ words: String...) throws -> (status: Int32, answer: Answer?) {
            let result = try momtool(words, in: folder)
            let answer = try? JSONDecoder().decode(Answer.self, from: Data(result.output.utf8))
            return (result.status, answer)
        }

        /// The findings of a command that it does not leave at notes.
        func faults(_ command: String) throws -> [String] {
            let found = try run(command, bundle, "--format", "json").answer?.findings ?? []
            // What `check` runs besides are cases and generated objects.
            return found.filter { $0.severity != "note" && $0.rule != "migration-test-failed" }
                .map { "\($0.severity ?? "") \($0.rule ?? "") \($0.element ?? "")" }.sorted()
        }

        /// The names of the versions but the current one.
        func olderVersions() throws -> [String] {
            let place = folder.appending(path: bundle)
            let list = (try? fileText(place.appending(path: ".xccurrentversion"))) ?? ""
            return try FileManager.default.contentsOfDirectory(atPath: place.path)
                .filter { $0.hasSuffix(".xcdatamodel") && !list.contains("<string>\($0)<") }
                .map { String($0.dropLast(".xcdatamodel".count)) }.sorted()
        }
    }

    private static let cases = folders(
        below: Corpus.package.appending(path: "Fixtures/Cases"),
        every: 4
    )
    private static let reports = folders(
        below: Evidence.folder.appending(path: "reports"),
        every: 2
    )

    /// Small public projects: mapping models, a migrator in code, losses between versions, several models.
    private static let projects = [
        "hwaxxer+BookMigration", "indieSoftware+INCoreData", "vaavud+iOS",
        "wibosco+CoreDataMigrationRevised-Example", "TangoJ-Labs+Blobjot",
    ].map { Corpus.folder.appending(path: $0) }

    private static func folders(below place: URL, every stride: Int) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return Sweep.part(of: names.sorted(), every: stride).map { place.appending(path: $0) }
    }

    @Test(arguments: cases)
    func `all commands agree on the cases`(_ place: URL) throws { try expectAgreement(in: place) }

    @Test(.enabled(if: Evidence.has("reports")), arguments: reports)
    func `all commands agree on what people reported`(_ place: URL) throws {
        try expectAgreement(in: place)
    }

    @Test(.enabled(if: Corpus.isPresent), arguments: Sweep.part(of: projects, every: 5))
    func `all commands agree on public projects`(_ place: URL) throws {
        try expectAgreement(in: place)
    }

    private func expectAgreement(in place: URL) throws {
        try withFolder { folder in
            let copy = folder.appending(path: "Project")
            try copyFile(place, to: copy)
            let files = try FileManager.default.subpathsOfDirectory(atPath: copy.path)
            for bundle in files.filter({ $0.hasSuffix(".xcdatamodeld") }).sorted() {
                try expectAgreement(of: Project(folder: copy, bundle: bundle))
            }
        }
    }

    private func expectAgreement(of project: Project) throws {
        let check = try project.run("check", project.bundle)
        #expect(try project.faults("check") == project.faults("lint"), "\(project.bundle)")
        if check.status == 0 {
            let lock = try project.run("lock", project.bundle, "--dry-run")
            #expect(lock.status == 0, "lock refuses what check lets pass: \(project.bundle)")
        }
        let matrix = try project.run("test", "--matrix", project.bundle, "--format", "json")
        for version in try project.olderVersions() {
            try expectAgreement(of: project, check.status, matrix.answer?.cases ?? [], version)
        }
    }

    private func expectAgreement(
        of project: Project,
        _ check: Int32,
        _ matrix: [Answer.Case],
        _ version: String
    ) throws {
        let (bundle, store) = (project.bundle, "Agreement-\(version).sqlite")
        let made = try project.run("create", store, "--model", "\(bundle)#\(version)")
        guard made.status == 0 else { return }
        let plan = try project.run("plan", bundle, "--from", version).status
        let doctor = try project.run("doctor", store, "--model", bundle, "--format", "json")
        let outcome = doctor.answer?.writers?.first?.outcome ?? ""
        let known = try project.run("identify", store, "--model", bundle, "--format", "json")
        #expect(known.answer?.versions?.contains(version) == true, "\(bundle)#\(version)")
        let words = [
            "migrate", store, "--model", bundle, "-o", "New-\(version).sqlite", "--allow-data-loss",
        ]
        let migrated = try momtool(words, in: project.folder).status
        let isRefused = ["refuses", "stops"].contains(outcome)
        let all: Comment =
            "\(bundle)#\(version): plan \(plan), doctor \(outcome), migrate \(migrated), check \(check)"
        guard !outcome.isEmpty else {
            // The model names no current version.
            return #expect(plan != 0 && migrated != 0 && check != 0, all)
        }
        #expect((plan == 3) == isRefused, all)
        if outcome != "opens" { #expect((migrated == 0) == (plan != 3), all) }
        #expect(!isRefused || check != 0, all)
        let isFailed = matrix.contains { test in
            test.name.hasPrefix("\(version) →") && test.status == "failed"
        }
        #expect(!isFailed || check != 0, all)
    }

    @Test func `a first lock of sources has what the last release had`() throws {
        try withFolder { folder in
            let head = "import SwiftData\n@Model final class Item { var a: String = \"\""
            let old = "\(head); var b: Int = 0; init() {} }\n"
            try write(old, "App/Models.swift", in: folder)
            try commit("one", in: folder)
            #expect(try git("tag", "1.0", in: folder).status == 0)
            try write("\(head); init() {} }\n", "App/Models.swift", in: folder)
            #expect(try momtool(["check", "App"], in: folder).status == 1)
            #expect(try momtool(["lock", "App"], in: folder).status == 0)
            for command in [["check", "App"], ["lint", "App"], ["lock", "App", "--check"]] {
                let said = try momtool(command, in: folder)
                #expect(said.output.contains("[locked-version-edited]"), "\(said.output)")
                #expect(said.status == 1, "\(command): \(said.output)")
            }
            try write(old, "App/Models.swift", in: folder)
            #expect(try momtool(["check", "App"], in: folder).status == 0)
        }
    }

    @Test func `what a release had beside an older lock is known to all`() throws {
        try withFolder { folder in
            let shop = folder.appending(path: "Shop.xcdatamodeld")
            try writeBundle([textModel("Item", ["a"])], at: shop)
            #expect(try momtool(["lock", shop.path], in: folder).status == 0)
            let versions = [["a"], ["a", "b"]].map { textModel("Item", $0) }
            try writeBundle(versions, at: shop)
            try commit("one", in: folder)
            #expect(try git("tag", "2.0", in: folder).status == 0)
            try writeBundle([versions[0], textModel("Item", ["a", "b", "c"])], at: shop)
            let words = [["check"], ["lint", "."], ["lock", "--check", "Shop.xcdatamodeld"]]
            for command in words {
                let said = try momtool(command, in: folder)
                #expect(said.status == 1, "\(command): \(said.output)\(said.errors)")
                let count = said.output.ranges(of: "[locked-version-edited]").count
                #expect(count == 1, "\(command): \(said.output)")
            }
            // What is not allowed to be a release is none.
            try write("releases: [none]\n", ".momtool.yml", in: folder)
            for command in words { #expect(try momtool(command, in: folder).status == 0) }
        }
    }
}
