import Foundation
import TestSupport
import Testing

struct OutputFailureTests {
    private static let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    private static let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
    private static let identifier = "1B4E28BA-2FA1-11D2-883F-0016D3CCA427"

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func withFiles(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let store = URL(filePath: Self.store)
            try copyFile(store, to: folder.appending(path: "S.sqlite"))
            try write(fixableModel, "Shop.xcdatamodel/contents", in: folder)
            try body(folder)
        }
    }

    @Test func `a fix keeps rights, owner and links of a model's file`() throws {
        try withFiles { folder in
            let contents = folder.appending(path: "Shop.xcdatamodel/contents")
            let far = folder.appending(path: "Far.xml")
            try FileManager.default.moveItem(at: contents, to: far)
            try FileManager.default.createSymbolicLink(
                atPath: contents.path,
                withDestinationPath: "../Far.xml"
            )
            #expect(chmod(far.path, 0o440) == 0)
            if geteuid() == 0 { #expect(chown(far.path, 1234, 2345) == 0) }
            let result = try momtool("lint Shop.xcdatamodel --fix", in: folder)
            #expect(result.errors.hasSuffix("\nShop.xcdatamodel: 1 fixed\n"))
            #expect(try fileText(far).contains("elementID"))
            var status = stat()
            #expect(lstat(contents.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
            #expect(lstat(far.path, &status) == 0 && status.st_mode & 0o7777 == 0o440)
            if geteuid() == 0 { #expect((status.st_uid, status.st_gid) == (1234, 2345)) }
            #expect(try names(in: folder) == ["Far.xml", "S.sqlite", "Shop.xcdatamodel"])
        }
    }

    @Test(
        .disabled(if: hasThreadSanitizer),
        arguments: [
            "export S.sqlite -o J.json", "hash Shop.xcdatamodel --format json=J.json",
            "graph Shop.xcdatamodel --format dot=J.json",
        ]
    )
    func `a file that may grow no more stays as it was`(line: String) throws {
        try withFiles { folder in
            try write("old", "J.json", in: folder)
            let result = try shell("ulimit -f 0; exec \"$m\" \(line)", in: folder)
            #expect(result.status == 74 && !result.wasKilled, "\(result.errors)")
            #expect(result.errors.hasSuffix(" [unwritable-output]\n"), "\(result.errors)")
            #expect(try fileText(folder.appending(path: "J.json")) == "old")
            #expect(try names(in: folder) == ["J.json", "S.sqlite", "Shop.xcdatamodel"])
        }
    }

    @Test(arguments: [("", Int32(0)), ("-o /dev/stdout", 74)])
    func `a reader of standard output that goes away is no failure unless it was named`(
        output: String,
        status: Int32
    ) throws {
        try withFolder { folder in
            let line = """
                { until [ -e gone ]; do sleep 0.01; done; "$m" export '\(Self.store)' \(output)
                    echo $? > status; } | { exec <&-; touch gone; }
                exit $(cat status)
                """
            let result = try shell(line, in: folder)
            #expect(result.status == status)
            #expect(result.errors.contains("Broken pipe") == (status != 0), "\(result.errors)")
        }
    }

    @Test func `what killed runs left for a path goes, and nothing else`() throws {
        try withFolder { folder in
            let kept = [
                ".J.json.momtool-draft-1", ".K.json.momtool-draft-\(Self.identifier)",
                ".J.json.momtool-\(Self.identifier)",
            ]
            let leftovers = [
                ".J.json.momtool-draft-\(Self.identifier)",
                ".Library.momd.momtool-draft-\(Self.identifier)/V1.mom",
            ]
            for name in kept + leftovers { try write("half", name, in: folder) }
            let export = ["export", Self.store, "-o", "J.json"]
            let lock = open(folder.path, O_RDONLY)
            try #require(flock(lock, LOCK_SH) == 0)
            try expectRun(export, in: folder, 0)
            #expect(try names(in: folder).count == 6)
            close(lock)
            try expectRun(export, in: folder, 0)
            try expectRun(["compile", Self.model, "-o", "."], in: folder, 0)
            #expect(try names(in: folder) == (kept + ["J.json", "Library.momd"]).sorted())
        }
    }

    private static let finished: [(line: String, done: String)] = [
        ("migrate S.sqlite --model \(model) --to V2 -o New.sqlite", "; 1 "),
        ("repair S.sqlite -o New.sqlite", "; New.sqlite "),
        ("create New.sqlite --model \(model)", "; New.sqlite "),
        ("export S.sqlite -o Rows.json", "; Rows.json "),
        ("compile \(model) -o New.momd", "; New.momd "),
        ("lock Shop.xcdatamodel", "; Shop.xcdatamodel.lock "),
    ]

    @Test(arguments: finished)
    func `where standard output is full, the error says what is done all the same`(
        line: String,
        done: String
    ) throws {
        try withFiles { folder in
            let result = try shell("exec \"$m\" \(line) > /dev/full", in: folder)
            #expect(result.status == 74, "\(result.errors)")
            let note = result.errors.split(separator: "\n").last ?? ""
            #expect(note.contains("note: ") && note.contains(done), "\(result.errors)")
        }
    }

    @Test(arguments: [
        "export S.sqlite -o Out/J.json", "compile Shop.xcdatamodel -o Out",
        "lint Shop.xcdatamodel --fix", "lint Shop.xcdatamodel --write-baseline Out/J.json",
    ])
    func `a folder that may not be written is told of with 73, and nothing changes`(
        line: String
    ) throws {
        try withFiles { folder in
            let places = ["", "Out", "Shop.xcdatamodel"].map { folder.appending(path: $0).path }
            try makeFolder(folder.appending(path: "Out"))
            for path in places { #expect(chmod(path, 0o555) == 0) }
            defer { for path in places { chmod(path, 0o755) } }
            let user = "setpriv --reuid=65534 --regid=65534 --clear-groups"
            let result = try shell("\(geteuid() == 0 ? user : "") \"$m\" \(line)", in: folder)
            #expect(result.status == 73, "\(result.errors)")
            #expect(result.errors.contains("ermission denied [unwritable-output]\n"))
            let contents = folder.appending(path: "Shop.xcdatamodel/contents")
            #expect(try fileText(contents) == fixableModel)
            #expect(try names(in: folder) == ["Out", "S.sqlite", "Shop.xcdatamodel"])
            #expect(try names(in: folder.appending(path: "Out")) == [])
        }
    }
}

struct DanglingLinkTests {
    private static let links: [(name: String, target: String, commands: [String])] = [
        (
            ".momtool.yml", "../shared/nothere.yml",
            ["check", "config", "lint M.xcdatamodeld", "plan M.xcdatamodeld", "rules"]
        ),
        (
            "M.xcdatamodeld.lock", "/nowhere/M.lock",
            ["check", "lint M.xcdatamodeld", "lock M.xcdatamodeld --check"]
        ),
        (
            "dangling.sqlite", "/nowhere/a.sqlite",
            ["verify", "repair", "inspect", "export", "doctor"].map { $0 + " dangling.sqlite" }
        ),
    ]

    @Test(arguments: links)
    func `a link to nothing is told as one`(
        name: String,
        target: String,
        commands: [String]
    ) throws {
        try withFolder { folder in
            let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld")
            try copyFile(model, to: folder.appending(path: "M.xcdatamodeld"))
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: name).path,
                withDestinationPath: target
            )
            for command in commands {
                let run = try momtool(command, in: folder)
                let text = "\(command): \(run.output)\(run.errors)"
                #expect(name == "dangling.sqlite" ? run.status == 66 : run.status != 0, "\(text)")
                #expect(text.contains("'\(target)'"), "\(text)")
            }
        }
    }

    @Test func `a name with a line break begins no line`() throws {
        try withFolder { folder in
            try write("losses: {\"a\\n::b\": \"a\\n::b\"}\n", ".momtool.yml", in: folder)
            try expectRun("config", in: folder, nil, "losses of a\\u000A::b: a\\u000A::b\n")
            for words in [["lint", "--x\n::b"], ["rules", "--format", "x\n::b"]] {
                try expectRun(words, in: folder, 64, errors: ["x\\u000A::b"])
            }
        }
    }
}
