import Foundation
import TestSupport
import Testing

/// A bundle of two versions: the first has a faulty relationship, the second a stray identifier.
private func makeBundle(in folder: URL, first: String? = nil) throws {
    let order =
        "<entity name='Order'><attribute name='number' attributeType='Date' optional='YES'/>"
    let versions = [
        "V1": (first ?? order) + "</entity>",
        "V2": order
            + "<attribute name='code' optional='YES' attributeType='String' renamingIdentifier='x'/>"
            + "<relationship name='next' maxCount='1' optional='YES' destinationEntity='Order'/></entity>",
    ]
    let texts = versions.mapValues { "<model>\n\($0)\n</model>\n" }
    try writeBundle(texts, "Shop.xcdatamodeld", in: folder)
}

private func inBundle(_ body: (URL) throws -> Void) throws {
    try withFolder { folder in
        try makeBundle(in: folder)
        try body(folder)
    }
}

struct LintCommandTests {
    @Test func `findings are printed and end with 1, unless they are below the threshold`() throws {
        try inBundle { folder in
            let result = try momtool("lint Shop.xcdatamodeld", in: folder)
            #expect(result.status == 1)
            #expect(result.output.contains("V2.xcdatamodel/contents:2:"))
            #expect(result.output.contains("[missing-inverse]"))
            #expect(result.output.contains("1 error, 1 note; --fix cures 1"))
            let lint = ["lint", "Shop.xcdatamodeld"]
            let rule = "lint: {rules: {literal-renaming-identifier: %}}"
            try write(rule.replacing("%", with: "off"), ".momtool.yml", in: folder)
            #expect(try momtool(lint, in: folder).status == 0)
            #expect(try momtool(lint + ["--fail-on", "note"], in: folder).status == 1)
            try write(rule.replacing("%", with: "warning"), ".momtool.yml", in: folder)
            #expect(try momtool(lint, in: folder).status == 1)
            #expect(try momtool(lint + ["--fail-on", "error"], in: folder).status == 0)
            let clean = ["lint", "Shop.xcdatamodeld#V1"]
            #expect(try momtool(clean, in: folder).output.hasSuffix("nothing found\n"))
        }
    }

    @Test func `fixes are written, and nothing else`() throws {
        try inBundle { folder in
            let file = folder.appending(path: "Shop.xcdatamodeld/V2.xcdatamodel/contents")
            let before = try fileText(file)
            let result = try momtool("lint Shop.xcdatamodeld --fix", in: folder)
            #expect(result.errors.hasSuffix("\nShop.xcdatamodeld: 1 fixed\n"))
            #expect(
                try fileText(file)
                    == before.replacingOccurrences(of: "renamingIdentifier", with: "elementID")
            )
        }
    }

    @Test func `configuration, baseline and user info let findings be`() throws {
        try inBundle { folder in
            let lint = ["lint", "Shop.xcdatamodeld"]
            try write("lint: {rules: {missing-inverse: off}}", ".momtool.yml", in: folder)
            #expect(try momtool(lint, in: folder).output.contains("1 error;"))
            let shown = try momtool("config Shop.xcdatamodeld", in: folder).output
            #expect(shown.contains("rule missing-inverse: off"))
            let words = ["config", "Shop.xcdatamodeld", "--format", "json"]
            let json = try JSONSerialization.jsonObject(
                with: Data(try momtool(words, in: folder).output.utf8)
            )
            let settings = try #require(json as? [String: Any])
            #expect(settings["rules"] as? [String: String] == ["missing-inverse": "off"])
            #expect(settings["configuration"] as? String == ".momtool.yml")
            #expect(settings["migration"] as? String == "direct")
            try write("lint: {rules: {nothing: off}}", ".momtool.yml", in: folder)
            #expect(try momtool(lint, in: folder).status == 65)
            try write("", ".momtool.yml", in: folder)
            let known = lint + ["--write-baseline", "known.txt"]
            #expect(try momtool(known, in: folder).status == 0)
            #expect(try momtool(lint + ["--baseline", "known.txt"], in: folder).status == 0)
            #expect(try momtool(lint + ["--baseline", "missing.txt"], in: folder).status == 66)
            try write("{", "wrong.json", in: folder)
            let wrong = try expectRun(lint + ["--baseline", "wrong.json"], in: folder, 65)
            #expect(
                wrong.errors.hasPrefix("wrong.json:1: error: the line does not have the form RULE")
            )
        }
    }

    @Test func `several formats go to several places`() throws {
        try inBundle { folder in
            let arguments = [
                "lint", "Shop.xcdatamodeld", "--format", "github", "--format", "sarif=a.sarif",
                "--format", "junit=a.xml", "--format", "markdown=a.md",
            ]
            let result = try momtool(arguments, in: folder)
            #expect(result.output.hasPrefix("::error file=Shop.xcdatamodeld/V2"))
            for file in ["a.sarif", "a.xml", "a.md"] {
                let path = folder.appending(path: file).path
                #expect(FileManager.default.fileExists(atPath: path))
            }
            #expect(try momtool("lint Shop.xcdatamodeld --format pdf").status == 64)
            #expect(
                try momtool("hash Models/Library.xcdatamodeld --format junit").status
                    == 64
            )
        }
    }

    @Test func `the library has no findings that count but the loss that it shows`() throws {
        let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
        #expect(try momtool("lint", model).status == 1)
        try withFolder { folder in
            try write("losses: {V3: [Book.notes, Book], V6: [Notice]}", "known.yml", in: folder)
            try expectRun(["lint", model, "--config", "known.yml"], in: folder, 0)
        }
    }

    @Test func `a rule is explained, an unknown one is not`() throws {
        #expect(try momtool("rules", "missing-inverse").output.contains("Not reported:"))
        #expect(try momtool("rules", "no-such-rule").status == 64)
        #expect(try momtool("rules").output.contains("locked-version-edited"))
    }
}

struct LockCommandTests {
    @Test func `a lock is written, met, and not met after an edit`() throws {
        try inBundle { folder in
            let check = ["lock", "Shop.xcdatamodeld", "--check"]
            #expect(try momtool(check, in: folder).status == 66)
            let written = try momtool("lock Shop.xcdatamodeld --version V1", in: folder)
            #expect(written.output.contains("1 version locked"))
            try expectRun(check, in: folder, 0, "[current-version-not-locked]")
            try makeBundle(
                in: folder,
                first: "<entity name='Order'><attribute name='number' attributeType='Date'/>"
            )
            let broken = try momtool(check, in: folder)
            #expect(broken.status == 1)
            #expect(broken.output.contains("'Order.number' was edited: it was optional"))
            #expect(broken.output.contains("V1.xcdatamodel/contents:2:"))
            #expect(try momtool("lock Shop.xcdatamodeld", in: folder).status == 3)
            #expect(try momtool("lock Shop.xcdatamodeld --relock", in: folder).status == 0)
            #expect(try momtool(check, in: folder).output.contains("nothing found"))
        }
    }

    @Test func `the version of a store in the field is adopted`() throws {
        try withFolder { folder in
            let lock = folder.appending(path: "Library.lock").path
            let result = try momtool(
                "lock Models/Library.xcdatamodeld --lock \(lock) --from-store "
                    + "Fixtures/Library-V1.sqlite"
            )
            #expect(result.status == 0, "\(result.errors)")
            let text = try String(contentsOfFile: lock, encoding: .utf8)
            #expect(text.contains("version V1\n"))
            #expect(!text.contains("version V2\n"))
            let other = try momtool(
                ["lock", "Models/Library.xcdatamodeld#V2", "--lock", lock, "--check"])
            #expect(other.status == 0)
        }
    }

    @Test func `a lock with a merge conflict is no lock`() throws {
        try inBundle { folder in
            for (text, words) in [
                ("", "a marker of a merge conflict is left here"),
                ("=======\nversion V2\n>>>>>>> main\n", "unresolved merge conflict: "),
            ] {
                let lock = "version V1\n<<<<<<< HEAD\n" + text
                try write(lock, "Shop.xcdatamodeld.lock", in: folder)
                let result = try momtool("lock Shop.xcdatamodeld --check", in: folder)
                #expect(result.status == 1)
                #expect(result.output.contains("Shop.xcdatamodeld.lock:2: error: \(words)"))
            }
        }
    }
}

struct FreshLintTests {
    private struct Report: Decodable {
        struct Finding: Decodable {
            var path: String?
            var rule: String
            var severity: String
        }

        var findings: [Finding]
    }

    /// Findings above a note, by project: values that steps lose or refuse with some rows, renames that nothing names
    /// or that Apple's compiler does not see, losses of past steps, and bundles of several versions that name no
    /// current one, or not the newest one.
    private static let known: [String: Set<String>] = [
        "AppLozic+Applozic-iOS-SDK": ["rows-decide"],
        "CypherPoet+CoreDataKit": ["data-loss", "new-required-without-default", "rows-decide"],
        "JohnEstropia+CoreStore": [
            "current-version-not-last", "equal-checksums", "missing-current-version",
        ],
        "Mioke+CoreDataMigrationHelper": ["data-loss"],
        "ResearchKit+AppCore": ["data-loss"],
        "SwiftGen+SwiftGen": ["data-loss", "new-required-without-default"],
        "TangoJ-Labs+Blobjot": ["data-loss", "undeclared-rename"],
        "alemar11+CoreDataPlus": [
            "current-version-not-last", "data-loss", "missing-current-version",
            "missing-renaming-identifier",
        ],
        "apptentive+apptentive-ios": ["data-loss"],
        "artsy+energy": ["data-loss"],
        "billmoss+CoreDataMigrations-HybridMigration": ["current-version-not-last"],
        "dashpay+dashsync-iOS": ["data-loss"],
        "dashpay+dashwallet-ios": ["missing-current-version", "new-required-without-default"],
        "duckduckgo+BrowserServicesKit": ["data-loss"],
        "hwaxxer+BookMigration": ["data-loss", "several-mapping-models"],
        "indieSoftware+INCoreData": ["missing-renaming-identifier"],
        "kasianov-mikhail+scout": ["data-loss", "literal-renaming-identifier", "rows-decide"],
        "kmitj+JivoSDK-iOS": ["data-loss", "undeclared-rename"],
        "nextcloud+notes-ios": ["literal-renaming-identifier"],
        "novasamatech+nova-wallet-ios": ["data-loss"],
        "objcio+core-data": ["data-loss"],
        "oreillymedia+flapjack": ["data-loss"],
        "owntracks+ios": ["data-loss"],
        "richardpiazza+XcodeServer": ["missing-current-version"],
        "vaavud+iOS": ["missing-current-version"],
        "wibosco+CoreDataMigrationRevised-Example": ["data-loss"],
    ]

    @Test(.enabled(if: Corpus.isPresent))
    func `what is found in real projects does harm`() throws {
        let models = Corpus.paths { $0.hasSuffix(".xcdatamodeld") }
        let run = try momtool(["lint", "--format", "json"] + models, in: Corpus.folder)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        var found: [String: Set<String>] = [:]
        for finding in report.findings where finding.severity != "note" {
            let project = finding.path?.split(separator: "/").first.map(String.init) ?? ""
            found[project, default: []].insert(finding.rule)
        }
        #expect(found == Self.known)
        #expect(models.count >= 60, "\(models.count)")
        #expect(report.findings.count { $0.severity == "note" } >= 100)
    }
}
