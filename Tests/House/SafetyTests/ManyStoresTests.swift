import Foundation
import ModelLoading
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct ManyStoresTests {
    private static let model = StoreFixture.modelPath

    private func makeStores(_ count: Int, in folder: URL) throws -> [String] {
        try (0..<count).map { number in
            let device = folder.appending(path: "Devices/\(number)")
            try FileManager.default.createDirectory(at: device, withIntermediateDirectories: true)
            let path = device.appending(path: "Shop.sqlite").path
            let version = StoreFixture.versions[number % 3]
            try createStore(at: path, model: version.model)
            return path
        }
    }

    @Test func `every store gets its place below the folder, and each is spoken of`() throws {
        try withFolder { folder in
            let stores = try makeStores(12, in: folder)
            let output = folder.appending(path: "New").path
            let result = try momtool(
                ["migrate"] + stores + [
                    "--allow-data-loss", "--model", Self.model, "-o", output, "--jobs", "4",
                ]
            )
            #expect(result.status == 0, "\(result.errors)")
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(lines.count == 13)
            for (store, line) in zip(stores, lines) { #expect(line.hasPrefix(store + ": ")) }
            #expect(lines.last == "12 of 12 stores migrated")
            for number in 0..<12 {
                let new = "\(output)/\(number)/Shop.sqlite"
                #expect(try StoreFixture.rows(of: new, 5).isEmpty == false)
            }
        }
    }

    @Test func `a store that fails stops no other, and the status is the worst`() throws {
        try withFolder { folder in
            let stores = try makeStores(6, in: folder)
            try Data("no store".utf8).write(to: URL(fileURLWithPath: stores[2]))
            let writer = try SQLiteConnection(path: stores[4], mode: .readWrite)
            try writer.execute("BEGIN IMMEDIATE")
            let backups = folder.appending(path: "Backups").path
            let result = try momtool(
                ["migrate"] + stores
                    + [
                        "--allow-data-loss", "--model", Self.model, "--in-place", "--backup",
                        backups,
                    ]
                    + ["--jobs", "3"]
            )
            #expect(result.status == 65)
            #expect(result.output.hasSuffix("4 of 6 stores migrated\n"), "\(result.output)")
            #expect(result.errors.contains("\(stores[2]): error: this is a text file"))
            #expect(result.errors.contains("\(stores[4]): error: in use"))
            for number in [0, 1, 3, 5] {
                let versions = try [stores[number], "\(backups)/\(number)/Shop.sqlite"].map {
                    try momtool("identify", $0, "--model", Self.model).output.suffix(3)
                }
                #expect(versions == ["V6\n", "V\(number % 3 + 1)\n"])
            }
        }
    }

    @Test func `a store that is named twice is a mistake`() throws {
        try withFolder { folder in
            let store = try makeStores(1, in: folder)[0]
            let link = folder.appending(path: "Link.sqlite").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
            let result = try momtool(
                "migrate",
                store,
                link,
                "--allow-data-loss",
                "--model",
                Self.model,
                "--in-place"
            )
            #expect(result.status == 64)
            #expect(result.errors.contains("[repeated-store]"))
        }
    }
}
