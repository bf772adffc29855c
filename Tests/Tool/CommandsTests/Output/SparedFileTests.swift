import Foundation
import TestSupport
import Testing

struct SparedFileTests {
    private static let model = "Library.xcdatamodeld"
    private static let places = [
        ".momtool.yml", model + ".lock", "App.xcodeproj/project.pbxproj", "./.momtool.yml",
    ]

    private static let reports = [
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

    private static let outputs = [
        "check --comment", "check --format json -o", "graph \(model) --format mermaid -o",
        "graph \(model) --from V1 --changed --format dot -o", "cloudkit schema \(model) -o",
        "lint \(model) --write-baseline", "rules missing-inverse --format json -o",
        "rules --format json -o", "skill -o", "schema check -o",
    ]

    @Test func `an output is refused there before anything is written`() throws {
        try withFolder { folder in
            for (path, name) in [
                ("Models/Library.xcdatamodeld", Self.model),
                ("Fixtures/Library-V1.sqlite", "S.sqlite"),
            ] {
                try copyFile(Corpus.package.appending(path: path), to: folder.appending(path: name))
            }
            try write("losses: {V6: [Notice]}\n", ".momtool.yml", in: folder)
            try expectRun("lock \(Self.model)", in: folder, 0)
            try write("// !$*UTF8*$!\n{}\n", "App.xcodeproj/project.pbxproj", in: folder)
            let before = try state(of: folder)
            // Each command has two of the four places, each place every other command.
            for (number, command) in Self.reports.enumerated() {
                for (index, place) in Self.places.enumerated()
                where Sweep.isWhole || (number + index) % 2 == 0 {
                    try refuse("\(command) --format json=\(place)", in: folder)
                }
            }
            for command in Self.outputs {
                for place in Self.places
                where command.contains(Self.model) || place.contains(".momtool.yml") {
                    try refuse("\(command) \(place)", in: folder)
                }
            }
            #expect(try state(of: folder) == before)
        }
    }

    private func refuse(_ line: String, in folder: URL) throws {
        let run = try expectRun(line, in: folder, 64)
        #expect(run.errors.hasSuffix("[output-is-input]\n"), "\(line): \(run.errors)")
    }

    private func state(of folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                let path = folder.appending(path: name).path
                return (name, FileManager.default.contents(atPath: path) ?? Data())
            }
        )
    }
}
