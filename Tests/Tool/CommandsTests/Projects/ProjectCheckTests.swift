import Foundation
import TestSupport
import Testing

struct ProjectCheckTests {
    private static let contents = """
        <model><entity name='A'><attribute name='%' optional='YES' attributeType='String'/></entity></model>
        """

    private func findings(
        project: String,
        named name: String = "App/App.xcodeproj/project.pbxproj",
        model: String = "App/Data/M.xcdatamodeld"
    ) throws -> [String] {
        try withFolder { folder in
            let bundle = folder.appending(path: model)
            func write(_ text: String, _ path: URL) throws {
                let parent = path.deletingLastPathComponent()
                try makeFolder(parent)
                try Data(text.utf8).write(to: path)
            }
            for version in ["M", "M 2"] {
                let text = Self.contents.replacing("%", with: version == "M" ? "a" : "b")
                try write(text, bundle.appending(path: "\(version).xcdatamodel/contents"))
            }
            let list = """
                <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
                <string>M 2.xcdatamodel</string></dict></plist>
                """
            try write(list, bundle.appending(path: ".xccurrentversion"))
            try write("", folder.appending(path: ".git/HEAD"))
            try write(project, folder.appending(path: name))
            let result = try momtool(["lint", model, "-q"], in: folder)
            let rules = [
                "version-not-in-project", "other-current-version-in-project",
                "model-not-in-target", "unreadable-project",
            ]
            return result.output.split(separator: "\n").map(String.init).filter { line in
                rules.contains { line.hasSuffix("[\($0)]") }
            }
        }
    }

    private func project(
        versions: [String] = ["V1", "V2"],
        current: String = "V2",
        file: String = "A0",
        group: String = "children = (A0); path = Data; sourceTree = \"<group>\";"
    ) -> String {
        """
        // !$*UTF8*$!
        {
            archiveVersion = 1;
            objects = {
                V1 /* M.xcdatamodel */ = {isa = PBXFileReference; path = M.xcdatamodel; sourceTree = "<group>"; };
                V2 = {isa = PBXFileReference; path = "M 2.xcdatamodel"; sourceTree = "<group>"; };
                A0 = {
                    isa = XCVersionGroup;
                    children = (\(versions.joined(separator: ", ")),);
                    currentVersion = \(current);
                    path = M.xcdatamodeld;
                    sourceTree = "<group>";
                };
                G1 = {isa = PBXGroup; \(group) };
                G0 = {isa = PBXGroup; children = (G1, V0); sourceTree = "<group>"; };
                B0 = {isa = PBXBuildFile; fileRef = \(file); };
                S0 = {isa = PBXSourcesBuildPhase; files = (B0,); };
                T0 = {isa = PBXNativeTarget; buildPhases = (S0); };
                P0 = {isa = PBXProject; mainGroup = G0; targets = (T0); };
            };
            rootObject = P0;
        }
        """
    }

    @Test func `a project that says what the model says has no finding`() throws {
        #expect(try findings(project: project()) == [])
    }

    @Test func `a version that the project does not list is an error`() throws {
        let found = try findings(project: project(versions: ["V1"], current: "V1"))
        #expect(found.count == 2)
        #expect(
            found.contains { $0.contains("project.pbxproj:7:9: error: ") && $0.contains("'M 2'") }
        )
        #expect(
            found.contains { $0.contains("warning: the current version is 'M' in the project") }
        )
    }

    @Test func `a model that no target compiles is a warning`() throws {
        let found = try findings(project: project(file: "V1"))
        #expect(found.count == 1 && found[0].contains(":7:9: warning: no target"))
    }

    @Test func `a model that is not listed is a note, in a package none`() throws {
        let other = project(group: "children = (); path = Data; sourceTree = \"<group>\";")
        let found = try findings(project: other.replacing("M.xcdatamodeld", with: "N.xcdatamodeld"))
        #expect(found.count == 1 && found[0].contains("note: the project does not list"))
        let elsewhere = try findings(
            project: other.replacing("M.xcdatamodeld", with: "N.xcdatamodeld"),
            model: "Core/M.xcdatamodeld"
        )
        #expect(elsewhere == [])
    }

    @Test func `a folder that the project takes as it is holds all versions`() throws {
        let folder =
            "children = (R0); sourceTree = \"<group>\"; }; R0 = {isa ="
            + " PBXFileSystemSynchronizedRootGroup; path = Data; sourceTree = \"<group>\";"
        let taken = project(group: folder).replacing("M.xcdatamodeld", with: "N.xcdatamodeld")
            .replacing("buildPhases", with: "fileSystemSynchronizedGroups = (R0); buildPhases")
        #expect(try findings(project: taken) == [])
        let excepted = taken.replacing(
            "PBXFileSystemSynchronizedRootGroup;",
            with: "PBXFileSystemSynchronizedRootGroup; exceptions = (X0);"
        ).replacing(
            "P0 = {",
            with: "X0 = { target = T0; membershipExceptions = (M.xcdatamodeld); }; P0 = {"
        ).replacing("N.xcdatamodeld", with: "O.xcdatamodeld")
        #expect(try findings(project: excepted).count == 1)
    }

    @Test func `the exceptions of a target that does not own a folder are what it takes of it`()
        throws
    {
        let folder =
            "children = (R0); sourceTree = \"<group>\"; }; R0 = {isa ="
            + " PBXFileSystemSynchronizedRootGroup; exceptions = (X0); path = Data; sourceTree = \"<group>\";"
        let none = project(group: folder).replacing("M.xcdatamodeld", with: "N.xcdatamodeld")
        #expect(try findings(project: none).count == 1)
        let taken = none.replacing(
            "P0 = {",
            with: "X0 = { target = T0; membershipExceptions = (M.xcdatamodeld); }; P0 = {"
        )
        #expect(try findings(project: taken) == [])
    }

    @Test(arguments: ["{ objects = ", "<<<<<<< HEAD\n{ }", "{ objects = 3; }", "<plist/>", "(a)"])
    func `a faulty project is said and left out`(text: String) throws {
        let found = try findings(project: text)
        #expect(found.count == 1)
        #expect(found[0].contains("warning: the project cannot be read, and is left out"))
    }

    @Test func `groups that hold each other end`() throws {
        let round = project(group: "children = (A0, G0); path = Data; sourceTree = \"<group>\";")
        #expect(try findings(project: round).count == 1)
    }

    @Test func `a project of XcodeGen takes what its folders hold`() throws {
        func found(_ sources: String) throws -> [String] {
            try findings(
                project:
                    "name: App\ntargets:\n  App:\n    type: application\n    sources: \(sources)\n",
                named: "App/project.yml"
            )
        }
        #expect(try found("[Data]") == [])
        #expect(try found(".") == [])
        #expect(try found("Data/M.xcdatamodeld") == [])
        #expect(try found("[Sources, {path: Data}]") == [])
        #expect(try found("[\"${DATA}\"]") == [])
        #expect(try found("[Sources]").count == 1)
        #expect(try found("[{path: Data, excludes: [\"*.xcdatamodeld\"]}]").count == 1)
        #expect(try found("[{path: Data, buildPhase: none}]").count == 1)
        #expect(try findings(project: "a: [", named: "App/project.yml").count == 1)
        #expect(try findings(project: "a: b", named: "App/project.yml") == [])
    }

    @Test func `a manifest of Tuist that names another current version is a warning`() throws {
        let manifest = """
            let target = Target.target(
                // .coreDataModel("Data/M.xcdatamodeld", currentVersion: "M 7"),
                coreDataModels: [.coreDataModel("Data/M.xcdatamodeld", currentVersion: "M")]
            )
            """
        let found = try findings(project: manifest, named: "App/Project.swift")
        #expect(
            found.count == 1
                && found[0].contains("Project.swift:3: warning: the current version is 'M'")
        )
        let windows = manifest.replacing("\n", with: "\r\n")
        #expect(try findings(project: windows, named: "App/Project.swift") == found)
        let same = manifest.replacing("\"M\")", with: "\"M 2\")")
        #expect(try findings(project: same, named: "App/Project.swift") == [])
    }
}
