import Foundation
import TestSupport
import Testing

/// Outputs at links, pipes and devices; those at plain files are in `Fixtures/Words/output-places.txt`.
struct OutputFileTests {
    private func inWorkFolder(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            for (path, name) in [
                ("Models/Library.xcdatamodeld", "Library.xcdatamodeld"),
                ("Fixtures/Library-V1.sqlite", "S.sqlite"),
            ] {
                try copyFile(Corpus.package.appending(path: path), to: folder.appending(path: name))
            }
            try write("", "S.sqlite-wal", in: folder)
            try makeFolder(folder.appending(path: "Far"))
            try makeFolder(folder.appending(path: "Other"))
            try FileManager.default.linkItem(
                at: folder.appending(path: "S.sqlite"),
                to: folder.appending(path: "Hard.json")
            )
            for (name, target) in [
                ("Link.json", "S.sqlite"), ("Dangling", "Other/../a"), ("Loop", "Loop"),
                ("Null", "/dev/null"),
            ] {
                try link(name, to: target, in: folder)
            }
            try body(folder)
        }
    }

    private func link(_ name: String, to target: String, in folder: URL) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: name).path,
            withDestinationPath: target
        )
    }

    private func state(of folder: URL) throws -> [String: [String]] {
        var state: [String: [String]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let file = folder.appending(path: path)
            let status = try status(of: file)
            let isFile = status.st_mode & S_IFMT == S_IFREG
            let bytes = isFile ? FileManager.default.contents(atPath: file.path) : nil
            state[path] = ["\(status.st_ino)", "\(status.st_mode)", "\(bytes?.hashValue ?? 0)"]
        }
        return state
    }

    private func status(of url: URL) throws -> stat {
        var status = stat()
        try #require(lstat(url.path, &status) == 0, "\(url.path)")
        return status
    }

    private static let links: [(line: String, status: Int32, code: String)] = [
        ("export S.sqlite -o ./Link.json", 64, "output-is-input"),
        ("export S.sqlite -o Hard.json", 64, "output-is-input"),
        ("export Link.json -o S.sqlite-wal", 64, "output-is-input"),
        (
            "identify S.sqlite --model Library.xcdatamodeld --format json=Hard.json", 64,
            "output-is-input"
        ),
        ("hash Library.xcdatamodeld --format json=Link.json", 73, "unwritable-output"),
        ("export S.sqlite -o Loop", 73, "unwritable-output"),
        (
            "graph Library.xcdatamodeld --format mermaid=a --format dot=Dangling --format mermaid=b",
            64, "repeated-output"
        ),
    ]

    @Test(arguments: links)
    func `a link is what it leads to`(line: String, status: Int32, code: String) throws {
        try inWorkFolder { folder in
            let before = try state(of: folder)
            let result = try expectRun(line, in: folder, status)
            #expect(result.errors.hasSuffix(" [\(code)]\n"), "\(result.errors)")
            #expect(try state(of: folder) == before)
        }
    }

    @Test(arguments: [
        "export S.sqlite -o Far/Link", "hash Library.xcdatamodeld --format json=Far/Link",
        "lint Library.xcdatamodeld --write-baseline Far/Link",
        "lock Library.xcdatamodeld --relock --unshipped V6 --lock Far/Link",
        "graph Library.xcdatamodeld --format dot=Far/Link",
        "compile Library.xcdatamodeld -o out --depfile Far/Link",
        "compile Library.xcdatamodeld/V1.xcdatamodel -o Far/Link.mom",
    ])
    func `the file that a link leads to is replaced and keeps its rights and its owner`(
        line: String
    ) throws {
        try inWorkFolder { folder in
            let name = line.hasSuffix(".mom") ? "Far/Link.mom" : "Far/Link"
            let output = folder.appending(path: "Other/Written.txt")
            try link(name, to: "../Other/./Written.txt", in: folder)
            try expectRun(line, in: folder, 0)
            let first = try Data(contentsOf: output)
            #expect(first.count > 10)
            try Data("old".utf8).write(to: output)
            #expect(chmod(output.path, 0o640) == 0)
            if geteuid() == 0 { #expect(chown(output.path, 1234, 2345) == 0) }
            let old = try status(of: output)
            try expectRun(line, in: folder, 0)
            let new = try status(of: output)
            #expect(try Data(contentsOf: output) == first)
            #expect((new.st_mode, new.st_uid, new.st_gid) == (old.st_mode, old.st_uid, old.st_gid))
            #expect(new.st_ino != old.st_ino, "the old file was written to")
            let mode = try status(of: folder.appending(path: name)).st_mode
            #expect(mode & S_IFMT == S_IFLNK)
            for place in ["Far", "Other"] {
                let path = folder.appending(path: place).path
                #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 1)
            }
        }
    }

    @Test func `devices, pipes and what is open are written through`() throws {
        try inWorkFolder { folder in
            let pipe = folder.appending(path: "Pipe")
            try #require(mkfifo(pipe.path, 0o600) == 0)
            try write("stages: [{lightweight: [V1, V2]}]\n", "Stages.yml", in: folder)
            let script = """
                "$m" export S.sqlite > Plain || exit 1
                cat Pipe > Piped & "$m" export S.sqlite -o Pipe --quiet && wait || exit 2
                "$m" export S.sqlite -o Null --quiet || exit 3
                "$m" verify S.sqlite --format json=/dev/null || exit 4
                echo first > Log && "$m" export S.sqlite -o /dev/stdout >> Log || exit 5
                "$m" compile Library.xcdatamodeld -o out --depfile /dev/stderr 2> Rule || exit 6
                "$m" generate --stages Stages.yml --model Library.xcdatamodeld -o /dev/fd/3 3> Source || exit 7
                """
            let result = try shell(script, in: folder)
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
            let null = try status(of: folder.appending(path: "Null")).st_mode
            #expect(null & S_IFMT == S_IFLNK)
            #expect(try status(of: URL(fileURLWithPath: "/dev/null")).st_mode & S_IFMT == S_IFCHR)
        }
    }
}
