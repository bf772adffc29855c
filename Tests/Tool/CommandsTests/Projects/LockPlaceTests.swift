import Foundation
import TestSupport
import Testing

struct LockPlaceTests {
    private static let commands = [
        "check", "check Sources", "check Sources/Shop", "lint .", "lint Sources",
        "lint Sources/Shop", "check --against main", "lock --check", "lock . --check",
    ]

    @Test(arguments: [
        ("lock Sources/Shop", "Sources/Shop.lock"), ("lock Sources", "Sources.lock"),
        ("lock .", "SwiftData.lock"), ("lock", "SwiftData.lock"),
        ("lock Sources/Shop/Models.swift", "Sources/Shop/Models.swift.lock"),
    ])
    func `an edit of a locked model is red from wherever it is checked`(
        words: String,
        lock: String
    ) throws {
        func source(_ type: String) -> String {
            "import SwiftData\n@Model class Item { var count: \(type)?; init() {} }\n"
        }
        try withFolder { folder in
            try write(source("Int"), "Sources/Shop/Models.swift", in: folder)
            try makeRepository(folder)
            try expectRun(words, in: folder, 0, "\(lock): 1 version")
            try commit("one", in: folder)
            try expectRun("check", in: folder, 0, " 1 lock,")
            // Every command for one place, and each third for the others.
            let commands =
                lock == "Sources/Shop.lock"
                ? Self.commands : Sweep.part(of: Self.commands, every: 3)
            for command in commands { try expectRun(command, in: folder, 0) }
            try write(source("String"), "Sources/Shop/Models.swift", in: folder)
            for command in commands {
                try expectRun(command, in: folder, 1, "[locked-version-edited]")
            }
            try expectRun("check", in: folder.appending(path: "Sources/Shop"), 1)
        }
    }
}
