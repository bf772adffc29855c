import Foundation
import TestSupport
import Testing

struct RepositoryPathTests {
    private func withApps(_ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let apps = folder.appending(path: "apps")
            let text = """
                <model><entity name='A'>
                <relationship name='b' optional='YES' maxCount='1' destinationEntity='A'/>
                </entity></model>
                """
            try writeBundle(["V": text], "dw/M.xcdatamodeld", in: apps)
            try write("lint: {rules: {missing-inverse: warning}}\n", ".momtool.yml", in: apps)
            try body(apps)
        }
    }

    private static let file = "apps/dw/M.xcdatamodeld/V.xcdatamodel/contents"

    @Test(arguments: ["dw", "../apps/dw", "./dw", "/"])
    func `annotations, SARIF and GitLab's report do so for every way to name a path`(
        path: String
    ) throws {
        try withApps { apps in
            let path = path == "/" ? apps.appending(path: "dw").path : path
            let run = try momtool(
                "check \(path) --format github --format sarif=a.sarif --format "
                    + "gitlab=a.json --format json=b.json --comment c.md",
                in: apps
            )
            #expect(run.status == 1, "\(run.errors)")
            #expect(run.output.contains("::warning file=\(Self.file),line=2"), "\(run.output)")
            for name in ["a.sarif", "a.json", "c.md"] {
                let file = apps.appending(path: name)
                let text = try fileText(file)
                #expect(text.contains(Self.file), "\(name): \(text)")
                #expect(!text.contains("../apps"), "\(name)")
            }
            // Output for people and programs here keeps the given names.
            let json = try fileText(apps.appending(path: "b.json"))
            #expect(!json.contains("\"\(Self.file)"), "\(json)")
        }
    }

    @Test func `a failure and a broken case are named so too`() throws {
        try withApps { apps in
            let missing = try momtool("lint No.xcdatamodeld --format github", in: apps)
            #expect(missing.output.contains("file=apps/No.xcdatamodeld"), "\(missing.output)")
            try write("model: No.xcdatamodeld\nfrom: V1\n", "Cases/a/case.yml", in: apps)
            try expectRun("test Cases --format github", in: apps, nil, "file=apps/Cases/a/case.yml")
        }
    }
}
