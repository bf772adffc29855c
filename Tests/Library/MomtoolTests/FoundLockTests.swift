import Foundation
import Momtool
import TestSupport
import Testing

struct FoundLockTests {
    @Test func `a lock that was found is not looked for again`() throws {
        try withFolder { folder in
            let source = "import SwiftData\n@Model class Item {\n    var count: Int?\n}\n"
            let file = folder.appending(path: "Models.swift")
            try Data(source.utf8).write(to: file)
            var linter = Linter()
            let place = ModelPlace(file.path)
            #expect(try linter.result(for: place).lockFile.path == file.path + ".lock")
            let found = LockFile(ofModel: file.path, chosen: file.path + "/found.lock")
            linter.foundLock = found
            #expect(try linter.result(for: place).lockFile == found)
            linter.foundLock = LockFile(ofModel: folder.path, chosen: found.path)
            #expect(try linter.result(for: place).lockFile.path == file.path + ".lock")
        }
    }
}
