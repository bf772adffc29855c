import Foundation
import TestSupport
import Testing

@testable import Momtool

struct MigrationTargetTests {
    @Test(
        arguments: [
            ("a.sqlite", "a.sqlite"), ("./a//b/./c.sqlite", "a/b/c.sqlite"),
            ("/srv/a.sqlite", "_/srv/a.sqlite"), ("../a.sqlite", "__/a.sqlite"),
            ("a/../b.sqlite", "a/__/b.sqlite"), ("_/srv/a.sqlite", "___/srv/a.sqlite"),
            ("__/a.sqlite", "____/a.sqlite"), ("..a/_b", "..a/_b"),
            ("a/\u{301}b.sqlite", "a/\u{301}b.sqlite"),
        ]
    )
    func `the place of a listed store depends on its path alone, and stays in the folder`(
        path: String,
        place: String
    ) throws {
        for stores in [[path], [path, "x/y/z.sqlite"]] {
            let targets = try MigrationTarget.all(for: stores, output: "New", naming: .byPath)
            #expect(targets[0].place == place)
            #expect(targets[0].output == "New/\(place)")
        }
    }

    @Test func `stores of the command line lie below the folder that holds all`() throws {
        let targets = try MigrationTarget.all(
            for: ["Devices/A/Shop.sqlite", "Devices/B/Shop.sqlite"],
            output: "New",
            backup: "Old",
            naming: .belowSharedFolder
        )
        #expect(targets.map(\.output) == ["New/A/Shop.sqlite", "New/B/Shop.sqlite"])
        #expect(targets.map(\.backup) == ["Old/A/Shop.sqlite", "Old/B/Shop.sqlite"])
    }

    @Test func `the backup of a store does not take the place of another`() throws {
        try withFolder { folder in
            let paths = ["Shop.sqlite", "Old/Shop.sqlite"].map { folder.appending(path: $0).path }
            try write("A", "Shop.sqlite", in: folder)
            try FileManager.default.createDirectory(
                at: folder.appending(path: "Old"),
                withIntermediateDirectories: true
            )
            try write("A", "Old/Shop.sqlite", in: folder)
            func targets(_ backup: String) throws -> [MigrationTarget] {
                try MigrationTarget.all(
                    for: paths,
                    output: nil,
                    backup: folder.appending(path: backup).path,
                    naming: .belowSharedFolder
                )
            }
            let error = #expect(throws: MomtoolError.self) { try targets("Old") }
            #expect(error?.kind == .cannotCreate, "\(String(describing: error))")
            #expect(try targets("New").count == 2)
        }
    }
}
