import Foundation
import TestSupport

/// Sources of an app, and runs of the commands on them.
struct SwiftApp {
    let folder: URL

    func run(_ words: String...) throws -> CommandResult {
        try momtool(["model", words[0], "App"] + words.dropFirst(), in: folder)
    }

    func text(_ name: String) throws -> String {
        try fileText(folder.appending(path: "App/\(name)"))
    }

    static func with(_ files: [String: String], _ body: (SwiftApp) throws -> Void) throws {
        try withFolder { folder in
            let place = folder.appending(path: "App")
            try makeFolder(place)
            for (name, text) in files { try write(text, name, in: place) }
            try body(SwiftApp(folder: folder))
        }
    }
}
