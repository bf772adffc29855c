import Foundation
import TestSupport
import Testing

struct RootGateTests {
    private static func schema(_ properties: String) -> String {
        """
        import SwiftData
        enum SchemaV1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self] }
            @Model class Item {
                var a: Int?
                \(properties)
                init() {}
            }
        }

        """
    }

    private func withRepository(_ body: (_ above: URL, _ root: URL) throws -> Void) throws {
        try withFolder { above in
            let root = above.appending(path: "Repo")
            try write(Self.schema(""), "ios/App/Schema.swift", in: root)
            try git("init", "-q", "-b", "main", "--template=", in: root)
            try expectRun("lock .", in: root, 0)
            try commit("one", in: root)
            try body(above, root)
        }
    }

    @Test func `an edit of a locked schema is seen against a revision, whatever was locked since`()
        throws
    {
        try withRepository { above, root in
            try expectRun("check --against main", in: root, 0)
            try write(Self.schema("var foo: Int = 0"), "ios/App/Schema.swift", in: root)
            try expectRun("lock . --relock", in: root, 0)
            for (words, folder) in [
                (["check", "--against", "main"], root),
                (["check", ".", "--against", "main"], root),
                (["check", "Repo", "--against", "main"], above),
            ] {
                try expectRun(words, in: folder, 1, "since main: Item.foo", "main:")
            }
            try expectRun("diff . --against main", in: root, nil, "foo")
            try expectRun("hash main:.", in: root, 0, "Item")
        }
    }

    @Test func `no path in a report begins at the folder that the command runs in`() throws {
        try withRepository { _, root in
            try write(Self.schema("var foo: Missing = Missing()"), "ios/App/Schema.swift", in: root)
            let formats = ["text", "github", "sarif", "junit", "json", "gitlab", "markdown"]
            for command in [["lint", "."], ["check", "."], ["lint", "./ios"]] {
                for format in formats {
                    let report = try momtool(command + ["--format", format], in: root).output
                    #expect(
                        report.contains("ios/App/Schema.swift"),
                        "\(command) \(format): \(report)"
                    )
                    #expect(!report.contains("./ios/App"), "\(command) \(format): \(report)")
                }
            }
            _ = try momtool("check . --comment comment.md", in: root)
            let comment = try fileText(root.appending(path: "comment.md"))
            #expect(!comment.contains("./ios"), "\(comment)")
        }
    }

    @Test func `a model that a revision has and that cannot be read there is an error`() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop.xcdatamodeld")
            let text = "<model><entity name='Item'/></model>"
            try writeBundle(["<<<<<<< ours"], at: bundle)
            try commit("one", in: folder)
            try writeBundle([text], at: bundle)
            try expectRun("check --against main", in: folder, 1, "nothing is compared")
            try writeBundle([text], "New.xcdatamodeld", in: folder)
            try expectRun("check New.xcdatamodeld --against main", in: folder, 0)
        }
    }

    @Test func `the lock of the root holds for the folder with all its models`() throws {
        try withRepository { _, root in
            for (path, folder) in [
                ("ios/App", root), (".", root.appending(path: "ios/App")), ("ios", root),
            ] {
                try expectRun(["check", path], in: folder, nil, "1 lock")
                #expect(try momtool(["lock", path], in: folder).status == 0)
            }
            let state = try git("status", "--porcelain", in: root)
            #expect(state.output.isEmpty, "\(state.output)")
            // A lock that covers other sources too is not for a part of them.
            try write(
                "import SwiftData\n@Model class Note { var b: Int? }\n",
                "Other/Note.swift",
                in: root
            )
            try expectRun("check ios/App", in: root, nil, "0 locks")
        }
    }
}

/// The findings of `momtool check` in the repositories of the corpus, without a lock or a configuration.
struct CorpusProjectTests {
    /// The rules above a note, by repository; one that is not listed is green.
    ///
    /// Each was examined. What is lost on the way into a current version without a lock is red until it is named, and
    /// so is what stores still lose by a past step; what sources cannot show is a note. Mapping models of five apps
    /// lead from each version to the next: Core Data does not chain them for older stores, so the app's own code must,
    /// and `migration: stepwise` declares that it does.
    private static let red: [String: Set<String>] = [
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
        "dashpay+platform": ["inverse-not-written", "reserved-property-name"],
        "duckduckgo+BrowserServicesKit": ["data-loss"],
        "everpcpc+KMReader": [
            "data-loss", "frozen-version-reaches-live-type", "identifier-reused",
            "stage-fetches-other-type", "swift-condition",
        ],
        "gomez1112+EZSwiftData": ["frozen-version-reaches-live-type"],
        "hwaxxer+BookMigration": ["data-loss", "several-mapping-models"],
        "indieSoftware+INCoreData": ["missing-renaming-identifier"],
        "kasianov-mikhail+scout": ["data-loss", "literal-renaming-identifier", "rows-decide"],
        "kmitj+JivoSDK-iOS": ["data-loss", "undeclared-rename"],
        "mesqueeb+SwiftDataSugar": ["new-required-without-default"],
        "nextcloud+notes-ios": ["literal-renaming-identifier"],
        "novasamatech+nova-wallet-ios": ["data-loss"],
        "objcio+core-data": ["data-loss"],
        "oreillymedia+flapjack": ["data-loss"],
        "own+scoped-inverse": ["new-required-without-default"],
        "owntracks+ios": ["data-loss"],
        "richardpiazza+XcodeServer": ["missing-current-version"],
        "vaavud+iOS": ["missing-current-version"],
        "wibosco+CoreDataMigrationRevised-Example": ["data-loss"],
    ]

    private static var repositories: [String] {
        guard Corpus.isPresent else { return [] }
        let names = Set(Corpus.paths { _ in true }.compactMap { $0.split(separator: "/").first })
        return names.map(String.init).filter { $0.contains("+") }.sorted()
    }

    @Test(.enabled(if: Corpus.isPresent), arguments: repositories)
    func `a repository is red for the reasons that are known, or green`(_ name: String) throws {
        let result = try momtool(["check", Corpus.path(name), "--rows", "2", "--format", "json"])
        let expected = Self.red[name] ?? []
        #expect(result.status == (expected.isEmpty ? 0 : 1), "\(result.errors)")
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        )
        let findings = try #require(report["findings"] as? [[String: Any]])
        let rules = findings.filter { $0["severity"] as? String != "note" }
            .compactMap { $0["rule"] as? String }
        #expect(Set(rules) == expected, "\(name)")
    }
}

struct FieldCommandTests {
    /// A bundle for each version, the newer of which lacks an attribute, and a store of the older one.
    private func withBundles(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try writeBundle([textModel("Song", ["a", "gone"])], "Old.xcdatamodeld", in: folder)
            try writeBundle(["V2": textModel("Song", ["a"])], "New.xcdatamodeld", in: folder)
            try Data(#"{"Song": {"a": "x", "gone": "y"}}"#.utf8)
                .write(to: folder.appending(path: "rows.json"))
            let words = [
                "create", "S.sqlite", "--model", "Old.xcdatamodeld", "--rows", "rows.json",
            ]
            let made = try momtool(words, in: folder)
            try #require(made.status == 0, "\(made.errors)")
            try body(folder)
        }
    }

    @Test(arguments: [false, true])
    func `stores of an older bundle are tested as they are migrated`(isNamed: Bool) throws {
        try withBundles { folder in
            if isNamed { try write("losses: {V2: [Song.gone]}\n", ".momtool.yml", in: folder) }
            let models = ["--model", "Old.xcdatamodeld", "--model", "New.xcdatamodeld"]
            let run = try momtool(["test", "--stores", "S.sqlite"] + models, in: folder)
            #expect(run.status == (isNamed ? 0 : 1), "\(run.output)\(run.errors)")
            #expect(run.output.contains("at stake"), "\(run.output)")
            #expect(run.output.contains("agreed: Song.gone") == isNamed, "\(run.output)")
            let migrated = try momtool(
                ["migrate", "S.sqlite", "-o", "M.sqlite"] + models,
                in: folder
            )
            #expect(migrated.status == (isNamed ? 0 : 3), "\(migrated.errors)")
        }
    }

    @Test(arguments: ["verify", "identify", "export", "repair"])
    func `a command for one model drops none of several`(_ command: String) throws {
        try withBundles { folder in
            let output = command == "repair" ? ["-o", "R.sqlite"] : []
            let models = ["--model", "Old.xcdatamodeld", "--model=New.xcdatamodeld"]
            let run = try expectRun([command, "S.sqlite"] + output + models, in: folder, 64)
            let words = "--model is given 2 times, and this command takes one model [usage]"
            #expect(run.errors.contains(words), "\(run.errors)")
        }
    }

    @Test func `stores are listed, or found in any folders`() throws {
        let names = ["Field/a.sqlite", "Field/1/a.sqlite", "Field/1/2/a.sqlite"]
        try FleetStores.with(names + ["Field/.old/a.sqlite", "Field/1/b.sqlite"]) { stores in
            try stores.write(names.joined(separator: "\r\n"), to: "list")
            func found(_ words: String) throws -> Set<String> {
                let run = try stores.run("test --model MODEL --format json=t \(words)")
                #expect(run.status == 1, "\(run.errors)")
                let parts = try stores.text("t").components(separatedBy: "\"name\" : \"")
                    .dropFirst()
                return Set(parts.map { String($0.prefix { $0 != "\"" }) })
            }
            #expect(try found("--from-list list") == Set(names))
            let below = Set(names.map { String($0.dropFirst("Field/".count)) })
            for pattern in ["Field/**/a.sqlite", "**/a.sqlite", "./Field/**/**/a.s*"] {
                #expect(try found("--stores \(pattern)") == below, "\(pattern)")
            }
            #expect(try found("--stores Field/**").count == 4)
            #expect(try found("--stores Field/*/**/b.sqlite") == ["b.sqlite"])
            let none = try stores.run("test --model MODEL --stores **/c.sqlite")
            #expect(none.status == 66 && none.errors.contains("no file matches"))
            try stores.write("", to: "list")
            let empty = try stores.run("test --model MODEL --from-list list")
            #expect(empty.status == 66 && empty.errors.contains("names no store [no-stores]"))
            let lone = try stores.run("test --from-list list")
            #expect(lone.status == 64 && lone.errors.contains("--from-list needs --model"))
        }
    }

    @Test func `a new case has one model`() throws {
        try withBundles { folder in
            let models = ["--model", "Old.xcdatamodeld", "--model", "New.xcdatamodeld"]
            let run = try momtool(["test", "Cases", "--new", "one"] + models, in: folder)
            #expect(run.status == 64 && run.errors.contains("one --model, for a new case"))
        }
    }
}
