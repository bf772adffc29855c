import Foundation
import TestSupport
import Testing

/// Classes of SwiftData that another file keeps than in the last release.
struct StoreFileTests {
    private static let classes = """
        import SwiftData
        @Model final class Trip { var name: String = ""; init() {} }
        @Model final class Stop { var city: String = ""; init() {} }

        """

    private static func app(_ configurations: String) -> String {
        let more = configurations.isEmpty ? "" : ", configurations: \(configurations)"
        return classes + "let app = try! ModelContainer(for: Trip.self, Stop.self\(more))\n"
    }

    private static let both = #"ModelConfiguration("All", schema: Schema([Trip.self, Stop.self]))"#
    private static let apart = """
        ModelConfiguration("All", schema: Schema([Trip.self])), ModelConfiguration("Stops", schema: \
        Schema([Stop.self]))
        """
    private static let byURL =
        #"ModelConfiguration(url: URL.documentsDirectory.appending(path: "Stops.store"))"#

    private static let group = #"ModelConfiguration(groupContainer: .identifier("group.a"))"#
    private static let noGroup = "ModelConfiguration(groupContainer: .none)"

    @Test(arguments: [
        (both, apart, ["Stop"]), (apart, both, ["Stop"]), ("", both, ["Stop", "Trip"]),
        (both, byURL, ["Stop", "Trip"]), (both, both, []), (apart, apart, []),
        ("", #"ModelConfiguration("default")"#, []), (both, "Self.configuration", []),
        (both, "ModelConfiguration(url: Self.file)", []), ("", group, []),
        (noGroup, group, ["Stop", "Trip"]), (group, group, []),
        (group, "ModelConfiguration(groupContainer: Self.group)", []),
        ("", "ModelConfiguration(isStoredInMemoryOnly: true)", ["Stop", "Trip"]),
        ("", "ModelConfiguration(isStoredInMemoryOnly: Self.isTest)", []),
    ])
    func `a class that moves to another file is reported once`(
        _ before: String,
        _ after: String,
        _ moved: [String]
    ) throws {
        try withFolder { folder in
            try write(Self.app(before), "App/App.swift", in: folder)
            try commit("one", in: folder)
            try tag("1.0", in: folder)
            try write(Self.app(after), "App/App.swift", in: folder)
            for command in ["check", "check --against 1.0", "lint App"] {
                let status: Int32 = moved.isEmpty ? 0 : 1
                let said = try expectRun(command, in: folder, status).output
                let found = said.split(separator: "\n").filter {
                    $0.contains("[entity-changes-store]")
                }
                #expect(found.count == (moved.isEmpty ? 0 : 1), "\(said)")
                for name in moved { #expect(found.first?.contains(name) == true, "\(said)") }
            }
        }
    }

    @Test(arguments: [
        (#"try f.moveItem(at: d.appending(path: "default.store"), to: new)"#, false),
        (#"let old = d.appending(path: "default.store"); try f.copyItem(at: old, to: new)"#, false),
        ("try f.moveItem(at: photo, to: album)", true), ("// f.moveItem(at: store, to: new)", true),
    ])
    func `a file that code of the app moves is not reported`(_ code: String, _ isFound: Bool) throws
    {
        try withFolder { folder in
            try write(Self.app(""), "App/App.swift", in: folder)
            try commit("one", in: folder)
            try tag("1.0", in: folder)
            try write(Self.app(Self.both), "App/App.swift", in: folder)
            try write("func move() throws { \(code)\n}\n", "App/Move.swift", in: folder)
            let said = try expectRun("check", in: folder, isFound ? 1 : 0).output
            #expect(said.contains("[entity-changes-store]") == isFound, "\(said)")
        }
    }
}
