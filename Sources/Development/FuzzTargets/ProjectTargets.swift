import Diagnostics
import Foundation
import ModelChecking
import ModelHashing
import ModelLoading
import ModelMerging
import ObjectModel
import SettingsFiles

extension FuzzTarget {
    private static let separator: UInt8 = 0x1E

    static let merge = FuzzTarget(
        "merge",
        "three texts of a file to be merged, with a record separator between them; what comes out is read again",
        tokens: ModelTokens.source + ["\u{1E}", "<<<<<<<", "-->", "<!--", "version V1", "<plist"],
        sizeLimit: 200_000,
        samples: {
            let texts = [SampleModel.text(renamed: false), SampleModel.text(renamed: true)]
            let lock = Data(
                ModelLock(versions: [
                    ModelLock.Version(ModelVersion(name: "V1", model: SampleModel.old))
                ]).text.utf8
            )
            return [
                joined(texts[0], texts[1], texts[0]), joined(texts[0], texts[0], texts[1]),
                joined(Data(), texts[0], texts[0]), joined(lock, lock, lock),
                joined(current("A"), current("B"), current("C")),
            ]
        },
        run: { bytes in
            let parts = bytes.split(
                separator: separator,
                maxSplits: 2,
                omittingEmptySubsequences: false
            ).map(Array.init)
            guard parts.count == 3 else { return .refused("there are not three texts") }
            let sides = MergeSides(base: parts[0], ours: parts[1], theirs: parts[2])
            do throws(MergeFault) {
                let merged = try ModelMerging.merge(sides, path: "")
                _ = readModel(contents: Data(merged.bytes), path: "contents")
                return .accepted
            } catch { return .refused(error.diagnostics.first?.message ?? "no merge") }
        }
    )

    static let project = FuzzTarget(
        "project",
        "a project.pbxproj, and the same text as the manifests of XcodeGen and Tuist",
        tokens: [
            "{", "}", "(", ")", ";", "=", "\"", "/*", "*/", "//", "<group>",
            "isa = XCVersionGroup;", "children = (A0);", "path = \"\";", "currentVersion = V1;",
            "sourceTree = SOURCE_ROOT;", "PBXFileSystemSynchronizedRootGroup", "<0a>", "\\U0041",
            "targets:", "sources: [.]", "coreDataModels: [", ".coreDataModel(",
        ],
        takes: { $0.hasSuffix(".pbxproj") },
        sizeLimit: 200_000,
        samples: { [Data(projectText.utf8)] },
        run: { bytes in
            let model = "App/M.xcdatamodeld"
            let text = String(decoding: bytes, as: UTF8.self)
            _ = readXcodeGenProject(text, path: "project.yml", model: model)
            _ = readTuistManifest(text, path: "Project.swift", model: model)
            exerciseEdits(ofProject: Array(bytes), model: model)
            let read = readXcodeProject(Array(bytes), path: "project.pbxproj", model: model)
            // A project that cannot be read is skipped with a warning.
            return read.value == nil
                ? .refused(read.diagnostics.first?.message ?? "no project") : .accepted
        }
    )

    private static func joined(_ base: Data, _ ours: Data, _ theirs: Data) -> Data {
        base + [separator] + ours + [separator] + theirs
    }

    private static func current(_ name: String) -> Data {
        Data(
            """
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
            <string>\(name).xcdatamodel</string></dict></plist>
            """.utf8
        )
    }

    private static let projectText = """
        // !$*UTF8*$!
        {
            archiveVersion = 1;
            objects = {
                V1 /* M.xcdatamodel */ = {isa = PBXFileReference; path = M.xcdatamodel; sourceTree = "<group>"; };
                V2 = {isa = PBXFileReference; path = "M 2.xcdatamodel"; sourceTree = "<group>"; };
                A0 = {isa = XCVersionGroup; children = (V1, V2); currentVersion = V2; path = M.xcdatamodeld; sourceTree = "<group>"; };
                G1 = {isa = PBXGroup; children = (A0); path = App; sourceTree = "<group>"; };
                G2 = {isa = PBXFileSystemSynchronizedRootGroup; path = Kit; sourceTree = "<group>"; };
                G0 = {isa = PBXGroup; children = (G1, G2); sourceTree = "<group>"; };
                B0 = {isa = PBXBuildFile; fileRef = A0; };
                S0 = {isa = PBXSourcesBuildPhase; files = (B0,); };
                T0 = {isa = PBXNativeTarget; buildPhases = (S0); fileSystemSynchronizedGroups = (G2); };
                P0 = {isa = PBXProject; mainGroup = G0; targets = (T0); };
            };
            rootObject = P0;
        }

        """
}
