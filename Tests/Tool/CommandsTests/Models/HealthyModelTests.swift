import Foundation
import TestSupport
import Testing

struct HealthyModelTests {
    private static func model(_ names: String...) -> String {
        let attributes = names.map {
            "<attribute name='\($0)' optional='YES' attributeType='String'/>"
        }
        let entity =
            "<entity name='Note' representedClassName='Note'>\(attributes.joined())</entity>"
        return "<model>\(entity)</model>"
    }

    private static let project = """
        // !$*UTF8*$!
        { objects = {
            V1 = {isa = PBXFileReference; path = Notes.xcdatamodel; sourceTree = "<group>"; };
            V2 = {isa = PBXFileReference; path = Other.xcdatamodel; sourceTree = "<group>"; };
            A0 = {
                isa = XCVersionGroup;
                children = (V1, V2);
                currentVersion = V1;
                path = Notes.xcdatamodeld;
                sourceTree = "<group>";
            };
            G0 = {isa = PBXGroup; children = (A0); sourceTree = "<group>"; };
            B0 = {isa = PBXBuildFile; fileRef = A0; };
            S0 = {isa = PBXSourcesBuildPhase; files = (B0); };
            T0 = {isa = PBXNativeTarget; buildPhases = (S0); };
            P0 = {isa = PBXProject; mainGroup = G0; targets = (T0); };
        }; rootObject = P0; }
        """

    @Test func `the current version of the project counts where the model names none`() throws {
        try withFolder { folder in
            try write(
                Self.model("a", "b"),
                "Notes.xcdatamodeld/Notes.xcdatamodel/contents",
                in: folder
            )
            try write(Self.model("a"), "Notes.xcdatamodeld/Other.xcdatamodel/contents", in: folder)
            let list = "<plist version=\"1.0\"><dict/></plist>"
            try write(list, "Notes.xcdatamodeld/.xccurrentversion", in: folder)
            let model = "Notes.xcdatamodeld"
            #expect(try momtool(["graph", model], in: folder).status == 3)
            #expect(try momtool(["lint", model], in: folder).status == 1)
            try write(Self.project, "App.xcodeproj/project.pbxproj", in: folder)
            let rows = #"{"Note": [{"@id": "1", "b": "x"}]}"#
            try write(rows, "rows.json", in: folder)
            let commands = [
                ["lint", model], ["graph", model],
                ["generate", model, "-o", "classes"], ["plan", model, "--from", "Other"],
                ["create", "New.sqlite", "--model", model, "--rows", "rows.json"],
                ["test", "--matrix", model],
            ]
            for command in commands {
                let result = try expectRun(command, in: folder, 0)
                let said = result.errors + result.output
                #expect(
                    said.contains("note: the current version is 'Notes'"),
                    "\(command): \(said)"
                )
            }
        }
    }

    @Test func `the current version is the newest unless a lock says otherwise`() throws {
        try withFolder { folder in
            let versions = ["Notes": Self.model("a", "b"), "NotesV1": Self.model("a")]
            let bundle = folder.appending(path: "Notes.xcdatamodeld")
            try writeBundle(versions, current: "Notes", at: bundle)
            let old = "Notes.xcdatamodeld#NotesV1"
            let rows = #"{"Note": [{"@id": "1", "a": "x"}]}"#
            try write(rows, "rows.json", in: folder)
            let create = ["create", "Old.sqlite", "--model", old, "--rows", "rows.json"]
            try expectRun(create, in: folder, 0)
            let migrate = ["migrate", "Old.sqlite", "--model", "Notes.xcdatamodeld", "-o"]
            try expectRun(migrate + ["New.sqlite"], in: folder, 0)
            #expect(try momtool("lint Notes.xcdatamodeld", in: folder).status == 0)
            // A lock that was written under other names has the order that counts.
            #expect(try momtool("lock Notes.xcdatamodeld", in: folder).status == 0)
            let file = folder.appending(path: "Notes.xcdatamodeld.lock")
            let text = try fileText(file)
            let blocks = text.components(separatedBy: "\nversion ")
            #expect(blocks.dropFirst().map { $0.prefix(7) } == ["NotesV1", "Notes\nc"])
            let turned = [blocks[0], blocks[2], blocks[1]].joined(separator: "\nversion ")
            try Data(turned.utf8).write(to: file)
            try expectRun(migrate + ["Third.sqlite"], in: folder, 3, errors: ["--allow-backward"])
        }
    }

    @Test func `a literal renaming identifier counts nowhere until it is written as elementID`()
        throws
    {
        try withFolder { folder in
            let new = Self.model("b").replacing("name='b'", with: "name='b' renamingIdentifier='a'")
            let versions = ["M": Self.model("a"), "M 2": new]
            try writeBundle(versions, "M.xcdatamodeld", in: folder, current: "M 2")
            let plan = ["plan", "M.xcdatamodeld", "--from", "M"]
            #expect(try momtool(plan, in: folder).output.contains("loses data"))
            #expect(try momtool("lint M.xcdatamodeld", in: folder).status == 1)
            try expectRun("lint M.xcdatamodeld --fix", in: folder, 0)
            #expect(!(try momtool(plan, in: folder).output.contains("loses data")))
        }
    }

    @Test func `a merge conflict is one error, and the other versions are used`() throws {
        try withFolder { folder in
            let conflict = Self.model("a").replacing(
                "<entity",
                with: "\n<<<<<<< HEAD\n=======\n>>>>>>> other\n<entity"
            )
            let versions = ["M": Self.model("a"), "M 2": Self.model("a", "b"), "M 3": conflict]
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(versions, current: "M 3", at: bundle)
            let lint = try expectRun("lint M.xcdatamodeld -q", in: folder, 1)
            #expect(lint.output.split(separator: "\n").count == 1, "\(lint.output)")
            #expect(
                lint.output.contains("contents:2:1: error: unresolved merge conflict at line 2")
            )
            // A lock knows that the version is there, and cannot be read.
            try write(Self.model("a", "b", "c"), "M 3.xcdatamodel/contents", in: bundle)
            #expect(try momtool("lock M.xcdatamodeld", in: folder).status == 0)
            try write(conflict, "M 3.xcdatamodel/contents", in: bundle)
            let check = try expectRun("lock M.xcdatamodeld --check -q", in: folder, 1)
            #expect(check.output.split(separator: "\n").count == 1, "\(check.output)")
            #expect(check.output.contains("error: unresolved merge conflict at line 2"))
            let plan = ["plan", "M.xcdatamodeld", "--from", "M", "--to"]
            #expect(try momtool(plan + ["M 2"], in: folder).status == 0)
            let unread = try momtool("graph M.xcdatamodeld", in: folder)
            #expect(unread.status == 65)
            #expect(unread.errors.contains("unresolved merge conflict at line 2"))
        }
    }

    @Test func `a type of a newer Xcode is a warning, and hash knows the other entities`() throws {
        try withFolder { folder in
            let newer = Self.model("a").replacing(
                "</model>",
                with:
                    "<entity name='X'><attribute name='v' attributeType='Vector'/></entity></model>"
            )
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(["M": Self.model("a"), "M 2": newer], current: "M 2", at: bundle)
            let lint = try momtool("lint M.xcdatamodeld -q", in: folder)
            #expect(lint.output.contains("warning: 'Vector' is no attribute type"))
            #expect(!lint.output.contains("error:"), "\(lint.output)")
            try expectRun(["hash", "M.xcdatamodeld#M 2"], in: folder, 1, "not understood", "Note")
            try expectRun("compile M.xcdatamodeld -o out", in: folder, 65)
        }
    }

    @Test func `a delete rule of a newer Xcode is a warning, hash is whole, and compile names it`()
        throws
    {
        try withFolder { folder in
            let newer = Self.model("a").replacing(
                "</model>",
                with: """
                    <entity name='X'><relationship name='x' optional='YES' maxCount='1' \
                    deletionRule='Archive' destinationEntity='X' inverseName='x' inverseEntity='X'/>
                    </entity></model>
                    """
            )
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(["M": Self.model("a"), "M 2": newer], current: "M 2", at: bundle)
            let lint = try momtool("lint M.xcdatamodeld -q", in: folder)
            #expect(lint.output.contains("warning: 'Archive' is no delete rule"))
            #expect(!lint.output.contains("error:"), "\(lint.output)")
            try expectRun(["hash", "M.xcdatamodeld#M 2"], in: folder, 0)
            let compile = try momtool("compile M.xcdatamodeld -o out", in: folder)
            #expect(compile.status == 65)
            #expect(compile.errors.contains("'Archive' is no delete rule"))
        }
    }

    @Test func `optimized models and empty bundles are notes of lint`() throws {
        try withFolder { folder in
            try write("", "Empty.xcdatamodeld/notes.txt", in: folder)
            try write("momv2$srsraori55", "M.momd/M.omo", in: folder)
            try write("momv2$srsraori55", "M.omo", in: folder)
            let expected = [
                "Empty.xcdatamodeld": "empty-bundle", "M.momd": "optimized-model",
                "M.omo": "optimized-model",
            ]
            for (path, rule) in expected {
                let lint = try expectRun(["lint", path, "-q"], in: folder, 0)
                #expect(lint.output.contains("note: ") && lint.output.contains("[\(rule)]"))
                let hash = try expectRun(["hash", path], in: folder, 65)
                #expect(hash.errors.contains("error: ") && hash.errors.contains("[\(rule)]"))
            }
        }
    }

    @Test func `a source that is not as Xcode writes it is a note, which fix cures`() throws {
        try withFolder { folder in
            let model = """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" lastSavedToolsVersion="23605">
                    <entity name="Note" syncable="YES">
                        <attribute name="b" attributeType="String" optional="YES"/>
                        <attribute name="a" optional="YES" attributeType="String"/>
                    </entity>
                </model>
                """
            let bundle = folder.appending(path: "M.xcdatamodeld")
            try writeBundle(["M": model], at: bundle)
            let lint = ["lint", "M.xcdatamodeld", "-q"]
            let found = try expectRun(lint, in: folder, 0, "contents:4:1: note: ")
            #expect(
                found.output.contains("1 of its lines") && found.output.contains("[source-form]")
            )
            let hashes = try momtool("hash M.xcdatamodeld", in: folder).output
            #expect(
                try momtool(lint + ["--fix"], in: folder).output.contains("source-form") == false
            )
            let file = bundle.appending(path: "M.xcdatamodel/contents")
            let lines = try fileText(file).components(separatedBy: "\n")
            #expect(lines[3].contains(#"<attribute name="a" optional="YES""#), "\(lines)")
            #expect(lines[4].contains(#"<attribute name="b" optional="YES""#), "\(lines)")
            #expect(try momtool("hash M.xcdatamodeld", in: folder).output == hashes)
            // A file that no Xcode has saved has no form to keep.
            let own = model.replacing(" lastSavedToolsVersion=\"23605\"", with: "")
            try Data(own.utf8).write(to: file)
            #expect(!(try momtool(lint, in: folder).output.contains("source-form")))
        }
    }
}
