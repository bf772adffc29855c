import Foundation
import TestSupport
import Testing

@testable import MomtoolCommands

/// The program under the names of Apple's compilers, which stand for it by a link.
struct AppleCompilerTests {
    private static let model = """
        <model userDefinedModelVersionIdentifier="">
            <entity name="Photo" representedClassName=".Photo">
                <attribute name="color" optional="YES" attributeType="Transformable"/>
                <relationship name="album" optional="YES" maxCount="1" deletionRule="No Action" \
        destinationEntity="Photo"/>
            </entity>
        </model>
        """

    private func withModel(
        _ text: String = model,
        _ body: (_ folder: URL, _ model: String) throws -> Void
    ) throws {
        try withFolder { folder in
            try write(text, "A.xcdatamodel/contents", in: folder)
            try body(folder, folder.path + "/A.xcdatamodel")
        }
    }

    /// Runs a compiler, and expects its status.
    @discardableResult
    private func compiler(
        _ arguments: [String],
        _ status: Int32 = 0,
        named name: String = "momc"
    ) throws -> CommandResult {
        let run = try withFolder { folder in
            let link = folder.appending(path: name)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: commandURL)
            return try result(of: link, arguments)
        }
        #expect(run.status == status, "\(arguments): \(run.errors)")
        return run
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test func `findings come in the form of Apple's compiler`() throws {
        try withModel { folder, model in
            let run = try compiler([model, folder.path + "/A.mom"])
            #expect(
                run.errors == """
                    \(model):Photo.color: warning: Photo.color is using a nil or insecure value transformer. \
                    Please switch to NSSecureUnarchiveFromDataTransformerName or a custom NSValueTransformer \
                    subclass of NSSecureUnarchiveFromDataTransformer [2]
                    \(model):Photo.album: warning: Photo.album does not have an inverse; this is an advanced \
                    setting (no object can be in multiple destinations for a specific relationship) [0]
                    \(model):Photo.album: warning: Photo.album has No Action delete rule and may result in \
                    relationships to deleted objects [0]

                    """
            )
            #expect(isThere(folder.path + "/A.mom"))
        }
    }

    static let silencers = [
        ("", 3), ("--no-warnings", 0), ("-XD_MOMC_NO_WARNINGS", 0),
        ("--no-inverse-relationship-warnings", 2),
        ("-no-delete-rule-warnings --no-max-property-count-warnings", 2),
        ("-XD_MOMC_NO_INVERSE_RELATIONSHIP_WARNINGS=YES -XD_MOMC_NO_DELETE_RULE_WARNINGS", 1),
        ("-XD_MOMC_NO_WARNINGS=NO", 3),
    ]

    @Test(arguments: silencers)
    func `warnings are switched off by kind`(options: String, lines: Int) throws {
        try withModel { (folder, model) throws in
            let words = options.split(separator: " ").map(String.init) + [model, folder.path]
            #expect(try compiler(words).errors.split(separator: "\n").count == lines)
        }
    }

    /// Fetch indexes came with iOS 11, tvOS 11, watchOS 4 and macOS 10.13.
    @Test(arguments: [
        ("iphoneos", "10.3", true), ("iphoneos", "11.0", false), ("appletvos", "10.9", true),
        ("appletvos", "11", false), ("watchos", "3.9", true), ("watchos", "4", false),
        ("macosx", "10.12", true), ("macosx", "10.13", false), ("macosx", "9.9", true),
        ("macosx", "11.0", false), ("xros", "1.0", false),
    ])
    func `a system before fetch indexes is known by its version`(
        platform: String,
        version: String,
        isBefore: Bool
    ) throws {
        let arguments = try AppleCompilerArguments(["--\(platform)-deployment-target", version])
        #expect(arguments.targetsSystemsWithoutFetchIndexes == isBefore)
    }

    static let spellings = [
        "--sdkroot /SDK --iphoneos-deployment-target 17.0 --module Shop --swift-version 5.0 --no-warnings",
        "--module=Shop --macosx-deployment-target=10.15 -no-warnings",
        "-XD_MOMC_SDKROOT=/SDK -XD_MOMC_IOS_TARGET_VERSION=7.0 -MOMC_PLATFORMS iphonesimulator "
            + "-XD_MOMC_NO_WARNINGS -module Shop",
        "--action compile --module Shop --no-warnings",
    ]

    @Test(arguments: spellings)
    func `options are taken in every spelling`(options: String) throws {
        try withModel { (folder, model) throws in
            let out = folder.path + "/A.mom"
            let words = options.split(separator: " ").map(String.init) + [model, out]
            #expect(try compiler(words).errors == "")
            #expect(try momtool("inspect", out, "--format", "json").output.contains("Shop.Photo"))
        }
    }

    /// Models and options that are refused, and how the errors begin and end.
    static let refused: [(text: String, options: [String], first: String, last: String)] = [
        (model, ["--sdkroot"], "momc: error: ", "\n"),
        (model, ["--frobnicate"], "momc: error: ", "\n"),
        (model, ["--action=frobnicate"], "momc: error: ", "\n"),
        ("<model><entity name='A' parentEntity='B'/></model>", [], "MODEL:A: error: ", " [0]\n"),
        (
            """
            <model usedWithCloudKit="YES"><entity name="Note">
            <attribute name="body" attributeType="String"/></entity></model>
            """,
            [], "MODEL:Note.body: error: Note.body must have", " a default value [8]\n"
        ),
        (transient, [], "MODEL:A.b: error: ", "\n"),
    ]

    private static let transient = """
        <model><entity name="A">
        <relationship name="b" maxCount="1" destinationEntity="A" inverseName="c" inverseEntity="A"/>
        <relationship name="c" maxCount="1" transient="YES" destinationEntity="A" inverseName="b" \
        inverseEntity="A"/></entity></model>
        """

    @Test(arguments: refused.indices)
    func `what makes no sense is refused, and nothing is written`(index: Int) throws {
        let (text, options, first, last) = Self.refused[index]
        try withModel(text) { folder, model in
            let out = folder.path + "/A.mom"
            let run = try compiler([model, out] + options, 1)
            let begin = first.replacing("MODEL", with: model)
            #expect(run.errors.hasPrefix(begin) && run.errors.hasSuffix(last), "\(run.errors)")
            #expect(!isThere(out))
        }
    }

    @Test func `the error about a transient inverse can be switched off`() throws {
        try withModel(Self.transient) { folder, model in
            try compiler(["--suppress-inverse-transient-error", model, folder.path])
        }
    }

    @Test func `classes are generated, and named by a dry run, which writes nothing`() throws {
        let text = Self.model.replacing(".Photo", with: "Photo\" codeGenerationType=\"class")
        try withModel(text) { folder, model in
            let options = ["--action", "generate", "--swift-version", "5.0"]
            let out = folder.path + "/classes"
            let names = [
                "A+CoreDataModel.swift", "Photo+CoreDataClass.swift",
                "Photo+CoreDataProperties.swift",
            ]
            let dry = try compiler(options + ["--dry-run", "--no-warnings", model, out])
            #expect(dry.output == names.map { "\(out)/\($0)\n" }.joined())
            try compiler(["--dry-run", model, folder.path + "/A.mom"])
            #expect(!isThere(out) && !isThere(folder.path + "/A.mom"))
            try compiler(options + [model, out])
            #expect(try FileManager.default.contentsOfDirectory(atPath: out).sorted() == names)
            let again = try momtool("generate", model, "-o", out)
            #expect(again.status == 0 && !again.output.contains("written"), "\(again.output)")
        }
    }

    @Test func `classes of a bundle without a current version are refused`() throws {
        try withFolder { folder in
            for name in ["A", "B"] {
                try write(Self.model, "M.xcdatamodeld/\(name).xcdatamodel/contents", in: folder)
            }
            let words = ["--action", "generate", folder.path + "/M.xcdatamodeld", folder.path]
            #expect(try !compiler(words, 1).errors.isEmpty)
        }
    }

    @Test func `bundles go to folders or to paths of their own`() throws {
        let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
        try withFolder { folder in
            for place in ["", "/Own.momd", "/Current.mom"] {
                try compiler([library, folder.path + place])
            }
            let files = try ["Library.momd/V6.mom", "Own.momd/V6.mom", "Current.mom"].map {
                try Data(contentsOf: folder.appending(path: $0))
            }
            #expect(Set(files).count == 1)
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `mapping models find the models that they lead between`() throws {
        let samples = Corpus.paths {
            $0.hasPrefix("objcio+core-data/") && $0.hasSuffix(".xcmappingmodel")
        }
        #expect(samples.count >= 4)
        try withFolder { folder in
            for (number, sample) in samples.enumerated() {
                let out = folder.path + "/\(number).cdm"
                try compiler([Corpus.path(sample), out], named: "mapc")
                #expect(isThere(out))
            }
            let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
            try compiler([model, folder.path], 1, named: "mapc")
        }
    }
}
