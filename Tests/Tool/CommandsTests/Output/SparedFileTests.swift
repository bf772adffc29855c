import Foundation
import TestSupport
import Testing

struct SparedFileTests {
    private static let model = "Library.xcdatamodeld"
    private static let places = [
        ".momtool.yml", model + ".lock", "App.xcodeproj/project.pbxproj", "./.momtool.yml",
    ]

    private func inWorkFolder(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            for (path, name) in [
                ("Models/Library.xcdatamodeld", Self.model),
                ("Fixtures/Library-V1.sqlite", "S.sqlite"),
            ] {
                try copyFile(Corpus.package.appending(path: path), to: folder.appending(path: name))
            }
            try write("losses: {V6: [Notice]}\n", ".momtool.yml", in: folder)
            #expect(try momtool("lock \(Self.model)", in: folder).status == 0)
            try write("// !$*UTF8*$!\n{}\n", "App.xcodeproj/project.pbxproj", in: folder)
            try body(folder)
        }
    }

    private func bytes(in folder: URL) throws -> [Data] {
        try Self.places.map { try Data(contentsOf: folder.appending(path: $0)) }
    }

    private static let commands = [
        "check \(model)", "lint \(model)", "lock \(model)", "lock --check \(model)",
        "test --matrix \(model)", "plan \(model)", "diff \(model)", "hash \(model)",
        "inspect \(model)", "doctor S.sqlite --model=\(model)", "verify S.sqlite --model \(model)",
        "identify S.sqlite --model \(model)", "generate \(model) --all -o out",
        "compile \(model) -o out", "decompile \(model) -o out",
        "create N.sqlite --model \(model)",
        "migrate S.sqlite --model \(model) -o N.sqlite", "config \(model)",
        "model add \(model) attribute Book.rating Double --new-version",
        "model new-version \(model)", "model undo-version \(model)",
    ]

    @Test func `a report is refused there before anything is written`() throws {
        try inWorkFolder { folder in
            let before = try bytes(in: folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            // Each command has two of the four places, each place every other command.
            for (number, command) in Self.commands.enumerated() {
                for (index, place) in Self.places.enumerated()
                where Sweep.isWhole || (number + index) % 2 == 0 {
                    let run = try expectRun("\(command) --format json=\(place)", in: folder, 64)
                    #expect(run.errors.hasSuffix("[output-is-input]\n"), "\(run.errors)")
                }
            }
            #expect(try bytes(in: folder) == before)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(left == names)
        }
    }

    @Test func `another output is refused there too`() throws {
        try inWorkFolder { folder in
            let before = try bytes(in: folder)
            for command in [
                "check --comment", "check --format json -o",
                "graph \(Self.model) --format mermaid -o",
                "graph \(Self.model) --from V1 --changed --format dot -o",
                "cloudkit schema \(Self.model) -o", "lint \(Self.model) --write-baseline",
                "rules missing-inverse --format json -o", "rules --format json -o", "skill -o",
                "schema check -o",
            ] {
                let isOfModel = command.contains(Self.model)
                for place in Self.places where isOfModel || place.contains(".momtool.yml") {
                    let run = try expectRun("\(command) \(place)", in: folder, 64)
                    #expect(run.errors.hasSuffix("[output-is-input]\n"), "\(run.errors)")
                }
            }
            #expect(try bytes(in: folder) == before)
        }
    }

    @Test func `no new store takes the place of a log or of values in files`() throws {
        try inWorkFolder { folder in
            try write("value", ".S_SUPPORT/_EXTERNAL_DATA/A", in: folder)
            let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            for place in ["S.sqlite-wal", "S.sqlite-journal", ".S_SUPPORT/new"] {
                let run = try momtool(
                    "migrate S.sqlite --model \(Self.model) --allow-data-loss -o \(place)",
                    in: folder
                )
                #expect(run.status == 73, "\(place): \(run.output)\(run.errors)")
                #expect(run.errors.contains("a part of the store 'S.sqlite'"), "\(run.errors)")
            }
            let after = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            #expect(after == before)
        }
    }

    @Test func `a path with a NUL in a file of stages is that of no model`() throws {
        try inWorkFolder { folder in
            let stages = "model: \"\(Self.model)\\0x\"\nstages:\n- lightweight: [V1, V2]\n"
            try write(stages, "stages.yml", in: folder)
            try expectRun("plan --stages stages.yml", in: folder, 66, errors: ["no such file"])
        }
    }

    @Test func `a report in the place of a lock that is not there yet is refused`() throws {
        try inWorkFolder { folder in
            let lock = folder.appending(path: Self.model + ".lock")
            try FileManager.default.removeItem(at: lock)
            let run = try momtool("hash \(Self.model) --format json=\(Self.model).lock", in: folder)
            #expect(run.status == 64 && run.errors.contains("output-is-input"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: lock.path))
            #expect(try momtool("lock \(Self.model)", in: folder).status == 0)
            #expect(try momtool("lock \(Self.model) --relock", in: folder).status == 0)
        }
    }

    @Test func `two outputs of a command have two places`() throws {
        try inWorkFolder { folder in
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            for command in [
                "check -o x.md --comment x.md",
                "lint \(Self.model) -o b.json --write-baseline b.json",
                "generate \(Self.model) --all -o out --format json=out/Book+CoreDataClass.swift",
                "compile \(Self.model)/V1.xcdatamodel -o V1.mom --format json=./V1.mom",
                "graph \(Self.model) --format mermaid=a.mmd --format dot=./a.mmd",
                "lock \(Self.model) --lock Own.lock --format json=Own.lock",
            ] {
                try expectRun(command, in: folder, 64, errors: ["[repeated-output]"])
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(left == names)
        }
    }

    @Test func `a report may lie in the folder of results, and where one of an earlier run does`()
        throws
    {
        try inWorkFolder { folder in
            for _ in 0..<2 {
                let words = ["generate", Self.model, "--all", "-o", "out"]
                try expectRun(words + ["--format", "json=out/report.json"], in: folder, 0)
                try expectRun("hash \(Self.model) -o hash.json", in: folder, 0)
            }
        }
    }

    @Test func `a report may have the name of its command, again and again`() throws {
        try inWorkFolder { folder in
            for (name, command) in [
                ("lint", "lint \(Self.model) --format json=lint"),
                ("inspect", "inspect \(Self.model) -o inspect --format json"),
                ("verify", "verify S.sqlite --format junit=verify"),
                (
                    "new-version",
                    "model new-version \(Self.model) --dry-run --format json=new-version"
                ),
                ("add", "model add \(Self.model) attribute None.rating Double --format json=add"),
            ] {
                let first = try momtool(command, in: folder)
                #expect(first.status != 64, "\(first.errors)")
                try write("old", name, in: folder)
                let second = try momtool(command, in: folder)
                #expect(second.status == first.status && second.errors == first.errors)
                let report = try Data(contentsOf: folder.appending(path: name))
                #expect(report.count > 3, "\(second.errors)")
            }
        }
    }
}
