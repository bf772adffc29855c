import Foundation
import TestSupport

/// A model of four versions in a project that names them wherever that is possible.
struct PrunedShop {
    let folder: URL
    static let model = "Shop.xcdatamodeld"

    /// Runs a test in a folder with the project, in which everything is locked.
    static func with(_ body: (PrunedShop) throws -> Void) throws {
        try withFolder { folder in
            let shop = PrunedShop(folder: folder)
            try shop.write()
            for words in [
                ["generate", model, "--mapping-model", "V1", "V2", "-o", "Mappings"],
                ["generate", model, "--mapping-model", "V3", "V4", "-o", "Mappings"],
                ["create", "Old.sqlite", "--model", model, "--version", "V1"],
                ["lock", model],
            ] {
                let run = try momtool(words, in: folder)
                guard run.status == 0 else { throw Fault(text: run.errors) }
            }
            for name in ["V1-to-V2", "V3-to-V4"] {
                try? FileManager.default.removeItem(at: folder.appending(path: "Mappings/\(name)"))
            }
            try body(shop)
        }
    }

    /// What could not be made.
    struct Fault: Error { var text: String }

    func run(_ words: String...) throws -> CommandResult {
        try momtool(["model", "prune", Self.model, "--day", "2026-11-24"] + words, in: folder)
    }

    func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    func files() throws -> [String: Data] { try EditedShop(folder: folder).files() }

    func write(_ text: String, to path: String) throws {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: url)
    }

    private func write() throws {
        let stop = """
                <entity name="Stop" representedClassName="Stop" syncable="YES">
                    <attribute name="label" optional="YES" attributeType="String"/>
                </entity>

            """
        try writeBundle(
            [
                "V1": Self.source(["old", "title"], stop), "V2": Self.source(["title"], stop),
                "V3": Self.source(["title"], ""), "V4": Self.source(["isbn", "title"], ""),
            ],
            current: "V4",
            at: folder.appending(path: Self.model)
        )
        try write(Self.project, to: "App.xcodeproj/project.pbxproj")
        try write(Self.configuration, to: ".momtool.yml")
        try write(Self.oldCase, to: "Cases/old/case.yml")
        try write(Self.severalCases, to: "Cases/several/case.yml")
    }

    private static func source(_ attributes: [String], _ more: String) -> String {
        let lines = attributes.map {
            "        <attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" systemVersion="23E224" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
                <entity name="Book" representedClassName="Book" syncable="YES">
            \(lines.joined())    </entity>
            \(more)</model>
            """
    }

    static let configuration = """
        order: [V1, V2, V3, V4]   # as they shipped
        allowDataLoss: [Stop.label, Book.old]
        losses:
          # what nobody reads
          V2: [Book.old]
          V3:
            - Stop

        mappingModels:
          - Mappings/V1 to V2.xcmappingmodel
          - Mappings/V3 to V4.xcmappingmodel
        lint:
          ignore:
            - rule: missing-inverse
              version: V1
              reason: gone soon
            - rule: missing-inverse
              reason: everywhere

        """

    static let oldCase = """
        model: ../../Shop.xcdatamodeld
        from: V1
        allowDataLoss: true
        before: {Book: [{title: a}]}
        after: {Book: [{title: a}]}

        """

    static let severalCases = """
        model: ../../Shop.xcdatamodeld
        allowDataLoss: true
        cases:
          first:
            from: V2
            before: {Book: [{title: a}]}
            after: {Book: [{title: a}]}
          # the one that counts
          second:
            from: V3
            before: {Book: [{title: a}]}
            after: {Book: [{title: a}]}

        """

    private static func reference(_ id: Int, _ kind: String, _ file: String) -> String {
        let path = file.contains(" ") ? "\"\(file)\"" : file
        return
            "\t\tAA000000000000000000000\(id) /* \(file) */ = {isa = PBXFileReference; "
            + "lastKnownFileType = wrapper.\(kind); path = \(path); sourceTree = \"<group>\"; };\n"
    }

    private static let versions = [1, 2, 3, 4].map {
        "AA000000000000000000000\($0) /* V\($0).xcdatamodel */"
    }

    /// The project as Xcode writes it; without what belongs to V1 and V2 where these are pruned.
    static func project(isPruned: Bool) -> String {
        files(isPruned: isPruned) + groups(isPruned: isPruned) + phases(isPruned: isPruned)
    }

    private static func files(isPruned: Bool) -> String {
        let kept = isPruned ? [3, 4] : [1, 2, 3, 4]
        let gone = isPruned ? [] : [0]
        let build = gone.map { _ in
            "\t\tAA0000000000000000000008 /* V1 to V2.xcmappingmodel in Sources */ = {isa = PBXBuildFile; fileRef = AA0000000000000000000006 /* V1 to V2.xcmappingmodel */; };\n"
        }
        let file = gone.map { _ in reference(6, "xcmappingmodel", "V1 to V2.xcmappingmodel") }
        return """
            // !$*UTF8*$!
            {
            \tarchiveVersion = 1;
            \tobjects = {

            /* Begin PBXBuildFile section */
            \(build.joined())\t\tAA0000000000000000000009 /* V3 to V4.xcmappingmodel in Sources */ = {isa = PBXBuildFile; fileRef = AA0000000000000000000007 /* V3 to V4.xcmappingmodel */; };
            \t\tAA0000000000000000000010 /* Shop.xcdatamodeld in Sources */ = {isa = PBXBuildFile; fileRef = BB0000000000000000000003 /* Shop.xcdatamodeld */; };
            /* End PBXBuildFile section */

            /* Begin PBXFileReference section */
            \(kept.map { reference($0, "xcdatamodel", "V\($0).xcdatamodel") }.joined())\(file.joined())\(reference(7, "xcmappingmodel", "V3 to V4.xcmappingmodel"))/* End PBXFileReference section */


            """
    }

    private static func groups(isPruned: Bool) -> String {
        let gone = isPruned ? [] : [0]
        let shown = gone.map { _ in
            "\t\t\t\tAA0000000000000000000006 /* V1 to V2.xcmappingmodel */,\n"
        }
        return """
            /* Begin PBXGroup section */
            \t\tBB0000000000000000000001 = {
            \t\t\tisa = PBXGroup;
            \t\t\tchildren = (
            \t\t\t\tBB0000000000000000000003 /* Shop.xcdatamodeld */,
            \t\t\t\tBB0000000000000000000002 /* Mappings */,
            \t\t\t);
            \t\t\tsourceTree = "<group>";
            \t\t};
            \t\tBB0000000000000000000002 /* Mappings */ = {
            \t\t\tisa = PBXGroup;
            \t\t\tchildren = (
            \(shown.joined())\t\t\t\tAA0000000000000000000007 /* V3 to V4.xcmappingmodel */,
            \t\t\t);
            \t\t\tpath = Mappings;
            \t\t\tsourceTree = "<group>";
            \t\t};
            /* End PBXGroup section */


            """
    }

    private static func phases(isPruned: Bool) -> String {
        let kept = isPruned ? [3, 4] : [1, 2, 3, 4]
        let gone = isPruned ? [] : [0]
        let used = gone.map { _ in
            "\t\t\t\tAA0000000000000000000008 /* V1 to V2.xcmappingmodel in Sources */,\n"
        }
        return """
            /* Begin PBXNativeTarget section */
            \t\tBB0000000000000000000006 /* App */ = {
            \t\t\tisa = PBXNativeTarget;
            \t\t\tbuildPhases = (
            \t\t\t\tBB0000000000000000000004 /* Sources */,
            \t\t\t);
            \t\t\tname = App;
            \t\t};
            /* End PBXNativeTarget section */

            /* Begin PBXSourcesBuildPhase section */
            \t\tBB0000000000000000000004 /* Sources */ = {
            \t\t\tisa = PBXSourcesBuildPhase;
            \t\t\tfiles = (
            \(used.joined())\t\t\t\tAA0000000000000000000009 /* V3 to V4.xcmappingmodel in Sources */,
            \t\t\t\tAA0000000000000000000010 /* Shop.xcdatamodeld in Sources */,
            \t\t\t);
            \t\t};
            /* End PBXSourcesBuildPhase section */

            /* Begin XCVersionGroup section */
            \t\tBB0000000000000000000003 /* Shop.xcdatamodeld */ = {
            \t\t\tisa = XCVersionGroup;
            \t\t\tchildren = (
            \(kept.reversed().map { "\t\t\t\t\(versions[$0 - 1]),\n" }.joined())\t\t\t);
            \t\t\tcurrentVersion = \(versions[3]);
            \t\t\tpath = Shop.xcdatamodeld;
            \t\t\tsourceTree = "<group>";
            \t\t\tversionGroupType = wrapper.xcdatamodel;
            \t\t};
            /* End XCVersionGroup section */
            \t};
            \trootObject = BB0000000000000000000005 /* Project object */;
            }

            """
    }

    static let project = project(isPruned: false)
}
