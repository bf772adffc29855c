import Foundation
import ModelLoading
import Momtool
import ObjectModel
import TestSupport
import Testing

/// What a mapping model asks of rows can be filled, named or let be.
struct MappedDemandTests {
    /// A repository with two versions and a mapping model of the step, which sets a mandatory attribute to one that may be
    /// NULL.
    private func inProject(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            func source(_ lines: String) -> String {
                "<model><entity name='A'>\(lines)</entity></model>"
            }
            let models = [
                "V1": source("<attribute name='full' optional='YES' attributeType='String'/>"),
                "V2": source("<attribute name='first' attributeType='String'/>"),
            ]
            try git("init", "-q", in: folder)
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(models, current: "V2", at: bundle)
            let versions = try ModelPlace(bundle.path).read().value.versions
            try writeMapping(
                of: ["first": "$source.full"],
                policy: "App.Splitter",
                from: versions[0].model,
                to: versions[1].model,
                at: folder.appending(path: "One.cdm")
            )
            try body(folder)
        }
    }

    private func check(_ folder: URL, saying settings: String) throws -> (Int32, String) {
        let policy = "policies: {App.Splitter: copy}\n"
        try Data((policy + settings).utf8).write(to: folder.appending(path: ".momtool.yml"))
        let run = try momtool(["check"], in: folder)
        return (run.status, run.output + run.errors)
    }

    @Test func `rows that no store has are named as the message says`() throws {
        try inProject { folder in
            let (status, output) = try check(folder, saying: "")
            #expect(status == 1, "\(output)")
            #expect(output.contains("A.full: "), "\(output)")
            #expect(output.contains("the rows are generated ones"), "\(output)")
            #expect(output.contains("losses: {V2: [A.full]}"), "\(output)")
            let (named, text) = try check(folder, saying: "losses: {V2: [A.full]}\n")
            #expect(named == 0, "\(text)")
            #expect(!text.contains("unmatched-loss"), "\(text)")
        }
    }

    @Test(arguments: [
        "lint: {rules: {migration-test-failed: off}}\n",
        "lint: {rules: {migration-test-failed: note}}\n",
        "lint: {ignore: [{rule: migration-test-failed, reason: x}]}\n",
        "lint: {ignore: [{rule: migration-test-failed, version: V1, reason: x}]}\n",
    ])
    func `the configuration has a say in migrations that fail`(settings: String) throws {
        try inProject { folder in
            let (status, output) = try check(folder, saying: settings)
            #expect(status == 0, "\(output)")
            #expect(!output.contains("error: "), "\(output)")
        }
    }
}
