import Foundation
import TestSupport
import Testing

struct StatedInverseTests {
    @Test func `an inverse that the settings do not want is not asked for`() throws {
        try withFolder { folder in
            let text = """
                import SwiftData
                @Model class Folder { var name: String = ""; init() {} }
                @Model class Item { var folder: Folder?; init() {} }

                """
            try Data(text.utf8).write(to: folder.appending(path: "Models.swift"))
            let plain = try momtool(["check"], in: folder)
            #expect(plain.output.contains("give 'folder' an inverse"), "\(plain.output)")
            let settings = "swift:\n  inverses:\n    Item.folder: none\n"
            try Data(settings.utf8).write(to: folder.appending(path: ".momtool.yml"))
            let told = try momtool(["check"], in: folder)
            #expect(!told.output.contains("give 'folder' an inverse"), "\(told.output)")
            #expect(told.output.contains("'folder' has no inverse, as swift: inverses:"))
            #expect(told.output.contains("[missing-inverse]"))
        }
    }
}
