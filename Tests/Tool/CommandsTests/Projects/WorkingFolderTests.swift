import Foundation
import TestSupport
import Testing

/// What a command finds above the folder that it runs in; a transcript runs in the root of its folder alone.
struct WorkingFolderTests {
    @Test func `the lock of the root holds for the folder with all its models`() throws {
        try withFolder { root in
            let source = "import SwiftData\n@Model class Item { var a: Int? }\n"
            try write(source, "ios/App/Models.swift", in: root)
            try expectRun("lock .", in: root, 0)
            try commit("one", in: root)
            let app = root.appending(path: "ios/App")
            try expectRun("check .", in: app, 0, "1 lock")
            try expectRun("lock .", in: app, 0)
            let state = try git("status", "--porcelain", in: root)
            #expect(state.output.isEmpty, "\(state.output)")
        }
    }

    @Test func `in a submodule its own revision is meant, and above it that of all`() throws {
        try withFolder { folder in
            let kit = folder.appending(path: "Kit")
            try writeBundle([textModel("Item", ["a", "b"])], "Shop.xcdatamodeld", in: kit)
            try commit("one", in: kit)
            let list = "[submodule \"Kit\"]\n\tpath = Kit\n\turl = ../kit\n"
            try write(list, ".gitmodules", in: folder)
            try commit("one", in: folder)
            let first = try git("rev-parse", "main", in: folder).output
                .trimmingCharacters(in: .whitespacesAndNewlines)
            try git("checkout", "-q", "-b", "change", in: folder)
            try writeBundle([textModel("Item", ["a"])], "Shop.xcdatamodeld", in: kit)
            try commit("two", in: kit)
            try expectRun("check --against main", in: kit, 0, not: ["since main"])
            for revision in ["main", first] {
                let words = "check --against \(revision)"
                try expectRun(words, in: folder, 1, "since \(revision): Item.b: ")
            }
        }
    }
}
