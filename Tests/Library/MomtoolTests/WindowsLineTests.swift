import Foundation
import Momtool
import TestSupport
import Testing

/// Files that git writes with a carriage return in each line end, as on Windows, are read as others are.
struct WindowsLineTests {
    @Test(arguments: ["\n", "\r\n"])
    func `a stages file is found`(end: String) throws {
        try withFolder { folder in
            let lines = ["# From 1 on.", "stages:", "  - lightweight: [V1, V2]", ""]
            let file = folder.appending(path: "Stages.yml")
            try Data(lines.joined(separator: end).utf8).write(to: file)
            let contents = ProjectContents(of: [folder.path])
            #expect(
                contents.stages.map { URL(fileURLWithPath: $0).lastPathComponent } == ["Stages.yml"]
            )
        }
    }
}
