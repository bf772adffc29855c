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

    private func shell(_ line: String, in folder: URL) throws -> CommandResult {
        try result(
            of: URL(fileURLWithPath: "/usr/bin/env"),
            ["bash", "-c", line, commandURL.path],
            in: folder
        )
    }

    private func fill(_ folder: URL) throws {
        let files = FileManager.default
        try files.copyItem(atPath: Self.store, toPath: folder.path + "/S.sqlite")
        let version = folder.appending(path: "Shop.xcdatamodel")
        try files.createDirectory(at: version, withIntermediateDirectories: true)
        try write(fixableModel, "contents", in: version)
    }

    @Test func `a fix keeps rights, owner and links of a model's file`() throws {
        try withFolder { folder in
            try fill(folder)
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
        try withFolder { folder in
            try fill(folder)
            let output = folder.appending(path: "J.json")
            try Data("old".utf8).write(to: output)
            let result = try shell("ulimit -f 0; exec \"$0\" \(line)", in: folder)
            #expect(result.status == 74 && !result.wasKilled, "\(result.errors)")
            #expect(result.errors.hasSuffix(" [unwritable-output]\n"), "\(result.errors)")
            #expect(try fileText(output) == "old")
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
                { until [ -e gone ]; do sleep 0.01; done; "$0" export '\(Self.store)' \(output); } \
                    | { exec <&-; touch gone; }
                exit ${PIPESTATUS[0]}
                """
            let result = try shell(line, in: folder)
            #expect(result.status == status)
            #expect(result.errors.contains("Broken pipe") == (status != 0), "\(result.errors)")
        }
    }

    @Test func `a name with a tilde is not taken for the home folder`() throws {
        try withFolder { folder in
            try fill(folder)
            for name in ["~", "~/Shop.xcdatamodel"] { try makeFolder(folder.appending(path: name)) }
            let contents = folder.appending(path: "~/Shop.xcdatamodel/contents")
            try Data(fixableModel.utf8).write(to: contents)
            let lines = [
                "export S.sqlite -o ~/J.json", "export S.sqlite -o ~J.json",
                "compile ~/Shop.xcdatamodel -o ~", "decompile ~/Shop.mom -o ~/Source",
                "lint ~/Shop.xcdatamodel --fix",
            ]
            for line in lines {
                for _ in 0..<2 {
                    let words = line.split(separator: " ").map(String.init)
                    try expectRun(words, in: folder, 0)
                }
            }
            #expect(try fileText(contents).contains("elementID"))
            #expect(try names(in: folder) == ["S.sqlite", "Shop.xcdatamodel", "~", "~J.json"])
            #expect(
                try names(in: folder.appending(path: "~")) == [
                    "J.json", "Shop.mom", "Shop.xcdatamodel", "Source",
                ]
            )
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
            for name in kept + leftovers {
                let file = folder.appending(path: name)
                try makeFolder(file.deletingLastPathComponent())
                try Data("half".utf8).write(to: file)
            }
            let export = ["export", Self.store, "-o", "J.json"]
            let compile = ["compile", Self.model, "-o", "."]
            let lock = open(folder.path, O_RDONLY)
            try #require(flock(lock, LOCK_SH) == 0)
            #expect(try momtool(export, in: folder).status == 0)
            #expect(try names(in: folder).count == 6)
            close(lock)
            #expect(try momtool(export, in: folder).status == 0)
            #expect(try momtool(compile, in: folder).status == 0)
            #expect(try names(in: folder) == (kept + ["J.json", "Library.momd"]).sorted())
        }
    }

    @Test func `a name may be as long as the system takes`() throws {
        try withFolder { folder in
            let name = String(repeating: "ü", count: 125) + ".json"
            #expect(try momtool(["export", Self.store, "-o", name], in: folder).status == 0)
            #expect(try names(in: folder) == [name])
            try expectRun(["export", Self.store, "-o", name + "."], in: folder, 73)
            #expect(try names(in: folder) == [name])
        }
    }

    private static let blocked: [(line: String, status: Int32)] = [
        ("export S.sqlite -o /dev/full", 74),
        ("verify S.sqlite --format json=/dev/full", 74),
        ("export S.sqlite -o missing/J.json", 73), ("export S.sqlite -o S.sqlite/J.json", 73),
        ("export S.sqlite -o Loop", 73), ("lock Shop.xcdatamodel --lock missing/L.lock", 73),
        ("migrate S.sqlite --model \(model) -o New.sqlite --format json=missing/R.json", 73),
        ("migrate S.sqlite --model \(model) -o New.sqlite --format json=S.sqlite/R.json", 73),
        ("repair S.sqlite -o New.sqlite --format json=missing/R.json", 73),
        ("lint Shop.xcdatamodel --fix --format json=missing/R.json", 73),
    ]

    @Test(arguments: blocked)
    func `a place that cannot be written to is told of with its status`(
        line: String,
        status: Int32
    ) throws {
        try withFolder { folder in
            try fill(folder)
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/Loop",
                withDestinationPath: "Loop"
            )
            let before = try names(in: folder)
            let result = try momtool(line.split(separator: " ").map(String.init), in: folder)
            #expect(result.status == status)
            let path = line.split { " =".contains($0) }.last ?? ""
            #expect(result.errors.hasPrefix("\(path): error: "), "\(result.errors)")
            #expect(result.errors.hasSuffix(" [unwritable-output]\n"), "\(result.errors)")
            #expect(try names(in: folder) == before)
        }
    }

    private static let finished: [(line: String, done: String)] = [
        ("migrate S.sqlite --model \(model) --to V2 -o New.sqlite", "1 store migrated"),
        ("repair S.sqlite -o New.sqlite", "New.sqlite is there"),
        ("create New.sqlite --model \(model)", "New.sqlite is there"),
        ("export S.sqlite -o Rows.json", "Rows.json is there"),
        ("compile \(model) -o New.momd", "New.momd is written"),
        ("lock Shop.xcdatamodel", "Shop.xcdatamodel.lock is written"),
    ]

    @Test(arguments: finished)
    func `where standard output is full, the error says what is done all the same`(
        line: String,
        done: String
    ) throws {
        try withFolder { folder in
            try fill(folder)
            let result = try shell("exec \"$0\" \(line) > /dev/full", in: folder)
            #expect(result.status == 74, "\(result.errors)")
            #expect(result.errors.hasSuffix("note: the report alone failed; \(done)\n"))
        }
    }

    @Test(arguments: [
        "export S.sqlite -o Out/J.json", "compile Shop.xcdatamodel -o Out",
        "lint Shop.xcdatamodel --fix", "lint Shop.xcdatamodel --write-baseline Out/J.json",
    ])
    func `a folder that may not be written is told of with 73, and nothing changes`(
        line: String
    ) throws {
        try withFolder { folder in
            try fill(folder)
            let places = [folder.path, folder.path + "/Out", folder.path + "/Shop.xcdatamodel"]
            try FileManager.default.createDirectory(
                atPath: places[1],
                withIntermediateDirectories: true
            )
            for path in places { #expect(chmod(path, 0o555) == 0) }
            defer { for path in places { chmod(path, 0o755) } }
            let user = "setpriv --reuid=65534 --regid=65534 --clear-groups"
            let result = try shell(
                geteuid() == 0 ? "\(user) \"$0\" \(line)" : "\"$0\" \(line)",
                in: folder
            )
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
    private func link(_ name: String, to target: String, in stores: FleetStores) throws {
        try FileManager.default.createSymbolicLink(
            atPath: stores.folder.appending(path: name).path,
            withDestinationPath: target
        )
    }

    @Test(arguments: ["check", "config", "lint M.xcdatamodeld", "plan M.xcdatamodeld", "rules"])
    func `a configuration`(command: String) throws {
        try FleetStores.with([]) { stores in
            try copyModel(to: stores)
            try link(".momtool.yml", to: "../shared/nothere.yml", in: stores)
            let run = try stores.run(command)
            #expect(run.status != 0, "\(run.output)")
            let message =
                ".momtool.yml: error: no such file; this is a link to '../shared/nothere.yml', where nothing is [unreadable-file]"
            #expect((run.output + run.errors).contains(message), "\(run.output)\(run.errors)")
        }
    }

    @Test(arguments: ["check", "lint M.xcdatamodeld", "lock M.xcdatamodeld --check"])
    func `a lock`(command: String) throws {
        try FleetStores.with([]) { stores in
            try copyModel(to: stores)
            try link("M.xcdatamodeld.lock", to: "/nowhere/M.lock", in: stores)
            let run = try stores.run(command)
            #expect(run.status != 0, "\(run.output)")
            let message = "this is a link to '/nowhere/M.lock', where nothing is"
            #expect((run.output + run.errors).contains(message), "\(run.output)\(run.errors)")
        }
    }

    @Test(arguments: ["verify", "repair", "inspect", "export", "doctor"])
    func `a store`(command: String) throws {
        try FleetStores.with([]) { stores in
            try link("dangling.sqlite", to: "/nowhere/a.sqlite", in: stores)
            let run = try stores.run("\(command) dangling.sqlite")
            #expect(run.status == 66)
            let message = "; this is a link to '/nowhere/a.sqlite', where nothing is"
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(!run.errors.contains("did you mean"))
        }
    }

    @Test func `a name with a line break begins no line`() throws {
        try FleetStores.with([]) { stores in
            try stores.write("losses: {\"a\\n::b\": \"a\\n::b\"}\n", to: ".momtool.yml")
            let settings = try stores.run("config")
            #expect(settings.output.contains("losses of a\\u000A::b: a\\u000A::b\n"))
            for words in [["lint", "--x\n::b"], ["rules", "--format", "x\n::b"]] {
                try expectRun(words, in: stores.folder, 64, errors: ["x\\u000A::b"])
            }
        }
    }

    private func copyModel(to stores: FleetStores) throws {
        try FileManager.default.copyItem(
            atPath: FleetStores.model,
            toPath: stores.folder.appending(path: "M.xcdatamodeld").path
        )
    }
}
