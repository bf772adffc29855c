import Diagnostics
import Foundation
import TestSupport
import Testing

/// Every command that the README, the pages and the help of the commands show does what it is shown for.
struct PageCommandTests {
    private struct Shown: Hashable, Sendable {
        var page: String
        var command: String

        /// Findings end with status 1.
        var status: Int32 {
            command.hasPrefix("momtool doctor") || command.contains(" --sharing ") ? 1 : 0
        }

        /// The command with the names of a reader's machine, and what it needs to be there.
        var script: String {
            var command = command
            let names = ["/stores/": "", "/model/": "", "/migrated": "New"]
            for (name, own) in names { command = command.replacingOccurrences(of: name, with: own) }
            if let pipe = command.range(of: " | dot ") {
                command.removeSubrange(pipe.lowerBound...)
            }
            if command.hasPrefix("momtool create Shop.sqlite") {
                return "rm Shop.sqlite; " + command
            }
            if command.hasPrefix("find Stores") {
                return "mkdir -p Stores && cp Shop.sqlite Stores && " + command
            }
            if command == "momtool config --test" {
                let rule = """
                    {id: acme-name, for: entity, when: "name == 'a'", message: no, \
                    fails: ["<entity name='a'/>"]}
                    """
                return
                    "echo \"rules: [\(rule.replacing("\"", with: "\\\""))]\" > .momtool.yml; \(command)"
            }
            // The sample has classes in the file, which a frozen version does not replace.
            let clearing =
                command.contains(" --frozen ") ? "rm -f Sources/App/SchemaV3.swift; " : ""
            guard command.hasPrefix("momtool generate"), command.hasSuffix("--check") else {
                return clearing + command
            }
            return clearing + command.replacingOccurrences(of: " --check", with: "") + " && "
                + command
        }
    }

    private static func shown() throws -> [Shown] {
        let names = try FileManager.default
            .contentsOfDirectory(atPath: pagesFolder.path)
            // The commands of these pages build upon each other, and have tests of their own.
            .filter { $0.hasSuffix(".md") && Self.ownTests[$0] == nil }.sorted()
        let pages = names.map { pagesFolder.appending(path: $0) }
        var seen: Set<Shown> = []
        var shown: [Shown] = []
        for page in pages + [Corpus.package.appending(path: "README.md")] {
            let text = try fileText(page)
            let parts = text.components(separatedBy: "```")
            for place in stride(from: 1, to: parts.count, by: 2)
            where !parts[place].contains("#!/bin/sh") {
                let lines = parts[place].replacing(/\\\n */, with: "").split(separator: "\n")
                for line in lines {
                    let words = command(in: line)
                    guard runStarts.contains(where: words.hasPrefix) else { continue }
                    let one = Shown(page: page.lastPathComponent, command: String(words))
                    if seen.insert(one).inserted { shown.append(one) }
                }
            }
        }
        return shown
    }

    /// The beginnings of lines that are run as they are.
    private static let runStarts = [
        "momtool ", "mkdir -p .claude", "find Stores -name", "git config ",
        "echo '**/*.xcdatamodel",
    ]

    /// The beginnings of other lines of shell, and why no test here runs them.
    private static let others = [
        ".ci/accept": "asks Core Data, on a Mac alone",
        "sh Kit/run": "asks Core Data, on a Mac alone",
        ".ci/": "is a script of this repository, which CI runs as a whole or a release needs",
        "MOMTOOL_CORPUS=Projects .ci/try-plugins": "builds the corpus of apps",
        "swift build -c release": "builds the whole package again",
        "swift package --allow-writing": "builds the plugins; .ci/try-plugins runs it",
        "curl -fsSL https://github.com/": "loads a release; .ci/try-release unpacks its archive",
        "brew install owner/momtool": "is of a release, which a tap names",
        "tar -xJf momtool-": "is of a release; .ci/try-release lays its archive so",
        "swift run -c release Fuzz": "takes long; .ci/nightly fuzz runs it",
    ]

    /// Pages whose fences of shell have tests of their own: each is run as a whole.
    private static let ownTests = [
        "ChangesInWords.md": "ChangesInWordsTests", "MigrationRecipes.md": "RecipeTests",
        "TheFirstHour.md": "FirstHourTests",
    ]

    /// The beginnings of lines of shell in fences without a language, or of a workflow.
    private static let programs = [
        "momtool ", "swift run", "swift test", "swift build", "swift package", "curl ", "pip ",
        "tar ",
        "sudo ", "apt-get ", "apt ", "brew ", "docker ", "git ", "sh ", "bash ", "python3 ", ".ci/",
        "npx ", "mkdir ", "echo ",
    ]

    private static func command(in line: Substring) -> Substring {
        line.trimmingPrefix(/[ ]*(- )?((run|script): )?/)
    }

    @Test func `no line of shell on a page escapes`() throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: pagesFolder.path)
            .filter { $0.hasSuffix(".md") && Self.ownTests[$0] == nil }
            .map { pagesFolder.appending(path: $0) }
        let further = ["README.md", ".github/CONTRIBUTING.md"].map {
            Corpus.package.appending(path: $0)
        }
        var (run, left) = (0, 0)
        for page in pages + further {
            let text = try fileText(page)
            let parts = text.components(separatedBy: "```")
            for place in stride(from: 1, to: parts.count, by: 2) {
                let language = parts[place].prefix { $0 != "\n" }
                // A script is run as a whole: the hook here, that of Slurm by .ci/fleet.
                guard ["", "sh", "yaml"].contains(language), !parts[place].contains("#!/bin/sh")
                else { continue }
                let lines = parts[place].dropFirst(language.count + 1)
                    .replacing(/\\\n */, with: " ").split(separator: "\n")
                for whole in lines {
                    let line = language == "sh" ? whole : Self.command(in: whole)
                    let isRun = Self.runStarts.contains(where: line.hasPrefix)
                    let isOther = Self.others.keys.contains(where: line.hasPrefix)
                    let isShell = language == "sh" || Self.programs.contains(where: line.hasPrefix)
                    #expect(isRun || isOther || !isShell, "\(page.lastPathComponent): \(line)")
                    if isRun { run += 1 } else if isShell { left += 1 }
                }
            }
        }
        #expect(run > 150 && left < 30, "\(run) run, \(left) left")
    }

    @Test func `every command that is shown runs`() throws {
        let commands = try Self.shown()
        #expect(commands.count >= 100, "\(commands.count)")
        try withFolder { folder in
            let made = PageWorkspace.Stores.allCases.concurrentMap { stores in
                Result { try PageWorkspace(stores, at: folder.appending(path: "\(stores)")) }
            }
            let spaces = Dictionary(
                uniqueKeysWithValues: zip(
                    PageWorkspace.Stores.allCases,
                    try made.map { try $0.get() }
                )
            )
            let results = Array(commands.enumerated()).concurrentMap { place, shown in
                Result { () -> CommandResult? in
                    let space = spaces[PageWorkspace.Stores(of: shown.command)]
                    return try space?
                        .result(of: shown.script, at: folder.appending(path: "\(place)"))
                }
            }
            for (shown, result) in zip(commands, results) {
                let result = try #require(try result.get())
                let what = "\(shown.page): \(shown.command)\n\(result.errors)\(result.output)"
                #expect(result.status == shown.status, "\(what)")
            }
        }
    }

    @Test func `the hook of the page stops the commit of an edited version`() throws {
        let page = try guideBlocks("CheckingModels.md", "sh")
        let hook = try #require(page.first { $0.hasPrefix("#!/bin/sh") })
        try withFolder { folder in
            let space = try PageWorkspace(.first, at: folder.appending(path: "space"))
            let commit = """
                git add -A && git -c user.name=a -c user.email=a@example.com commit -qm two && \
                sed 's/Integer 32/Integer 64/' New.xcdatamodeld/V1.xcdatamodel/contents \
                > Shop.xcdatamodeld/V1.xcdatamodel/contents && git add -A
                """
            let path = folder.appending(path: "copy")
            let clean = try space.result(of: hook, at: path)
            #expect(clean.status == 0, "\(clean.errors)")
            let edited = try space.result(of: "\(commit)\n\(hook)", at: path)
            #expect(edited.status == 1, "\(edited.errors)")
            #expect((edited.output + edited.errors).contains("[locked-version-edited]"))
        }
    }
}
