import Foundation
import TestSupport
import Testing

struct OutputFileTests {
    private func inWorkFolder(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let files = FileManager.default
            let models = Corpus.package.appending(path: "Models/Library.xcdatamodeld")
            for name in ["Library.xcdatamodeld", "Other/Library.xcdatamodeld"] {
                let copy = folder.appending(path: name)
                try files.createDirectory(
                    at: copy.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try files.copyItem(at: models, to: copy)
            }
            let store = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")
            for name in ["S.sqlite", "T.sqlite"] {
                try files.copyItem(at: store, to: folder.appending(path: name))
            }
            for name in ["S.sqlite-wal", "T.sqlite-wal"] {
                try Data().write(to: folder.appending(path: name))
            }
            try files.linkItem(
                at: folder.appending(path: "S.sqlite"),
                to: folder.appending(path: "Hard.json")
            )
            try files.createSymbolicLink(
                atPath: folder.appending(path: "Link.json").path,
                withDestinationPath: "S.sqlite"
            )
            try files.copyItem(
                at: models.appending(path: "V1.xcdatamodel/contents"),
                to: folder.appending(path: "Aside.xml")
            )
            try body(folder)
        }
    }

    private func state(of folder: URL) throws -> [String: [String]] {
        var state: [String: [String]] = [:]
        for path in FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? [] {
            guard let path = path as? String else { continue }
            let file = folder.appending(path: path).path
            var status = stat()
            try #require(lstat(file, &status) == 0)
            let isFile = status.st_mode & S_IFMT == S_IFREG
            let bytes = isFile ? FileManager.default.contents(atPath: file) : nil
            state[path] = ["\(status.st_ino)", "\(status.st_mode)", "\(bytes?.hashValue ?? 0)"]
        }
        return state
    }

    private func status(of url: URL) throws -> stat {
        var status = stat()
        try #require(lstat(url.path, &status) == 0, "\(url.path)")
        return status
    }

    @Test(arguments: [
        "export S.sqlite -o S.sqlite", "export S.sqlite -o ./Link.json",
        "export S.sqlite -o Hard.json", "export S.sqlite -o S.sqlite-wal",
        "export Link.json -o S.sqlite-wal",
        "export S.sqlite --model Library.xcdatamodeld -o Library.xcdatamodeld/rows.json",
        "verify S.sqlite --format text --format json=S.sqlite",
        "inspect Library.xcdatamodeld --format json=Library.xcdatamodeld/.xccurrentversion",
        "hash Library.xcdatamodeld#V2 --format json=Library.xcdatamodeld/V1.xcdatamodel/contents",
        "hash Other --format json=Other/Library.xcdatamodeld/hashes.json",
        "graph Library.xcdatamodeld --format mermaid=a.mmd --format dot=Library.xcdatamodeld/a.dot",
        "diff Library.xcdatamodeld --format json=a --format markdown=Library.xcdatamodeld/a.md",
        "plan Library.xcdatamodeld --from V1 --format json=Library.xcdatamodeld/plan.json",
        "plan Library.xcdatamodeld --store S.sqlite --format json=S.sqlite",
        "identify S.sqlite --model Library.xcdatamodeld --format json=Hard.json",
        "lint Library.xcdatamodeld --write-baseline Library.xcdatamodeld/V6.xcdatamodel/contents",
        "lint Library.xcdatamodeld --baseline Aside.xml --write-baseline Aside.xml",
        "lint Library.xcdatamodeld --fix --format json=Library.xcdatamodeld/lint.json",
        "lock Library.xcdatamodeld --relock --unshipped V6 --lock Library.xcdatamodeld/V1.xcdatamodel/contents",
        "lock Library.xcdatamodeld --from-store S.sqlite --lock S.sqlite --relock",
        "compile Library.xcdatamodeld -o out --depfile Library.xcdatamodeld/V1.xcdatamodel/contents",
        "compile Library.xcdatamodeld -o Library.xcdatamodeld",
        "decompile Library.xcdatamodeld -o .",
        "decompile Library.xcdatamodeld#V2 -o Library.xcdatamodeld",
        "decompile Library.xcdatamodeld/V1.xcdatamodel -o Library.xcdatamodeld",
        "generate Library.xcdatamodeld --all -o Library.xcdatamodeld/Classes",
    ])
    func `an output that is an input, or lies in one, is refused before anything is written`(
        line: String
    ) throws {
        try inWorkFolder { folder in
            let before = try state(of: folder)
            let arguments = line.split(separator: " ").map(String.init)
            let result = try expectRun(arguments, in: folder, 64)
            #expect(result.errors.hasSuffix(" [output-is-input]\n"), "\(result.errors)")
            #expect(try state(of: folder) == before)
        }
    }

    @Test(arguments: [
        ("export S.sqlite -o T.sqlite", "database"),
        ("export S.sqlite -o T.sqlite-wal", "database"),
        ("hash Library.xcdatamodeld --format json=Link.json", "database"),
        ("compile Other/Library.xcdatamodeld/V1.xcdatamodel -o V1.mom", "database"),
        (
            "hash Library.xcdatamodeld --format json=Other/Library.xcdatamodeld/V1.xcdatamodel/contents",
            "model"
        ),
        (
            "graph Library.xcdatamodeld --format dot=Other/Library.xcdatamodeld/.xccurrentversion",
            "model"
        ),
        ("lock Library.xcdatamodeld --relock --unshipped V6 --lock Any.mom", "model"),
        ("export S.sqlite -o Other", "folder"),
    ])
    func `a database, a model and a folder are not replaced by a text`(
        line: String,
        what: String
    ) throws {
        try inWorkFolder { folder in
            let files = FileManager.default
            for (name, original) in [("V1.mom", "T.sqlite"), ("Any.mom", "Aside.xml")] {
                try files.copyItem(
                    at: folder.appending(path: original),
                    to: folder.appending(path: name)
                )
            }
            let before = try state(of: folder)
            let result = try expectRun(line.split(separator: " ").map(String.init), in: folder, 73)
            let message = ": error: there is a \(what) at this path"
            #expect(result.errors.contains(message), "\(result.errors)")
            #expect(result.errors.hasSuffix(" [unwritable-output]\n"))
            #expect(try state(of: folder) == before)
        }
    }

    @Test(arguments: [
        "compile Library.xcdatamodeld Other/Library.xcdatamodeld -o out",
        "decompile Library.xcdatamodeld Other/Library.xcdatamodeld -o out",
        "compile Library.xcdatamodeld/V1.xcdatamodel Other/Library.xcdatamodeld/V1.xcdatamodel -o .",
        "compile Library.xcdatamodeld -o out --depfile out/Library.momd/V1.mom",
        "verify S.sqlite --format json=a --format junit=./a",
        "graph Library.xcdatamodeld --format mermaid=a --format dot=Dangling --format mermaid=b",
    ])
    func `two outputs to one place are refused before anything is written`(line: String) throws {
        try inWorkFolder { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "Dangling").path,
                withDestinationPath: "Other/../a"
            )
            let before = try state(of: folder)
            let result = try expectRun(line.split(separator: " ").map(String.init), in: folder, 64)
            #expect(result.errors.hasSuffix(" [repeated-output]\n"), "\(result.errors)")
            #expect(try state(of: folder) == before)
        }
    }

    @Test(arguments: [
        ["export", "S.sqlite", "-o", "OUT"],
        ["hash", "Library.xcdatamodeld", "--format", "json=OUT"],
        ["lint", "Library.xcdatamodeld", "--write-baseline", "OUT"],
        ["lock", "Library.xcdatamodeld", "--relock", "--unshipped", "V6", "--lock", "OUT"],
        ["graph", "Library.xcdatamodeld", "--format", "dot=OUT"],
        ["compile", "Library.xcdatamodeld", "-o", "out", "--depfile", "OUT"],
        ["compile", "Library.xcdatamodeld/V1.xcdatamodel", "-o", "OUT.mom"],
    ])
    func `the file that a link leads to is replaced and keeps its rights and its owner`(
        words: [String]
    ) throws {
        try inWorkFolder { folder in
            let arguments = words.map { $0.replacing("OUT", with: "Far/Link") }
            let link = try #require(arguments.last?.split(separator: "=").last)
            let far = folder.appending(path: "Far")
            try makeFolder(far)
            let output = folder.appending(path: "Other/Written.txt")
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: String(link)).path,
                withDestinationPath: "../Other/./Written.txt"
            )
            #expect(try momtool(arguments, in: folder).status == 0, "the link led nowhere")
            let first = try Data(contentsOf: output)
            #expect(first.count > 10)
            try Data("old".utf8).write(to: output)
            #expect(chmod(output.path, 0o640) == 0)
            if geteuid() == 0 { #expect(chown(output.path, 1234, 2345) == 0) }
            let old = try status(of: output)
            try expectRun(arguments, in: folder, 0)
            let new = try status(of: output)
            #expect(try Data(contentsOf: output) == first)
            #expect((new.st_mode, new.st_uid, new.st_gid) == (old.st_mode, old.st_uid, old.st_gid))
            #expect(new.st_ino != old.st_ino, "the old file was written to")
            #expect(
                try status(of: folder.appending(path: String(link))).st_mode & S_IFMT == S_IFLNK
            )
            #expect(try FileManager.default.contentsOfDirectory(atPath: far.path).count == 1)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "Other").path
            )
            #expect(names.sorted() == ["Library.xcdatamodeld", "Written.txt"])
        }
    }

    @Test func `devices, pipes and what is open are written through`() throws {
        try inWorkFolder { folder in
            let pipe = folder.appending(path: "Pipe")
            try #require(mkfifo(pipe.path, 0o600) == 0)
            let null = folder.appending(path: "Null")
            try FileManager.default.createSymbolicLink(
                atPath: null.path,
                withDestinationPath: "/dev/null"
            )
            let script = """
                "$0" export S.sqlite > Plain || exit 1
                cat Pipe > Piped & "$0" export S.sqlite -o Pipe --quiet && wait || exit 2
                "$0" export S.sqlite -o Null --quiet || exit 3
                "$0" verify S.sqlite --format json=/dev/null || exit 4
                echo first > Log && "$0" export S.sqlite -o /dev/stdout >> Log || exit 5
                "$0" compile Library.xcdatamodeld -o out --depfile /dev/stderr 2> Rule || exit 6
                "$0" generate --stages Stages.yml --model Library.xcdatamodeld -o /dev/fd/3 3> Source || exit 7
                """
            try write("stages: [{lightweight: [V1, V2]}]\n", "Stages.yml", in: folder)
            let result = try result(
                of: URL(fileURLWithPath: "/usr/bin/env"),
                ["bash", "-c", script, commandURL.path],
                in: folder
            )
            #expect(result.status == 0, "\(result.errors)")
            func text(_ name: String) throws -> String {
                try fileText(folder.appending(path: name))
            }
            let rows = try text("Plain")
            #expect(try text("Piped") == rows)
            #expect(try text("Log") == "first\n" + rows + "/dev/stdout: 42 rows\n")
            #expect(try text("Rule").hasPrefix("out/Library.momd:"))
            #expect(try text("Source").contains("NSStagedMigrationManager"))
            #expect(try status(of: pipe).st_mode & S_IFMT == S_IFIFO)
            #expect(try status(of: null).st_mode & S_IFMT == S_IFLNK)
            #expect(try status(of: URL(fileURLWithPath: "/dev/null")).st_mode & S_IFMT == S_IFCHR)
        }
    }
}
