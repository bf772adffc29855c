import Foundation
import TestSupport
import Testing

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
        try withFolder { (folder) throws in
            let model = folder.appending(path: "A.xcdatamodel")
            try write(text, "contents", in: model)
            try body(folder, model.path)
        }
    }

    private func compiler(_ name: String, _ arguments: [String]) throws -> CommandResult {
        try withFolder { folder in
            let link = folder.appending(path: name)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: commandURL)
            return try result(of: link, arguments)
        }
    }

    private func compiler(_ name: String, _ arguments: String...) throws -> CommandResult {
        try compiler(name, arguments)
    }

    @Test func `findings come in the form of Apple's compiler`() throws {
        try withModel { (folder, model) throws in
            let result = try compiler("momc", model, folder.path + "/A.mom")
            #expect(result.status == 0)
            #expect(
                result.errors == """
                    \(model):Photo.color: warning: Photo.color is using a nil or insecure value transformer. \
                    Please switch to NSSecureUnarchiveFromDataTransformerName or a custom NSValueTransformer \
                    subclass of NSSecureUnarchiveFromDataTransformer [2]
                    \(model):Photo.album: warning: Photo.album does not have an inverse; this is an advanced \
                    setting (no object can be in multiple destinations for a specific relationship) [0]
                    \(model):Photo.album: warning: Photo.album has No Action delete rule and may result in \
                    relationships to deleted objects [0]

                    """
            )
            #expect(FileManager.default.fileExists(atPath: folder.path + "/A.mom"))
        }
    }

    static let silencers: [(options: [String], lines: Int)] = [
        ([], 3),
        (["--no-warnings"], 0),
        (["-XD_MOMC_NO_WARNINGS"], 0),
        (["--no-inverse-relationship-warnings"], 2),
        (["-no-delete-rule-warnings", "--no-max-property-count-warnings"], 2),
        (["-XD_MOMC_NO_INVERSE_RELATIONSHIP_WARNINGS=YES", "-XD_MOMC_NO_DELETE_RULE_WARNINGS"], 1),
        (["-XD_MOMC_NO_WARNINGS=NO"], 3),
    ]

    @Test(arguments: silencers)
    func `warnings are switched off by kind`(options: [String], lines: Int) throws {
        try withModel { (folder, model) throws in
            let result = try compiler("momc", options + [model, folder.path])
            #expect(result.status == 0)
            #expect(result.errors.split(separator: "\n").count == lines)
        }
    }

    static let spellings: [[String]] = [
        [
            "--sdkroot", "/SDK", "--iphoneos-deployment-target", "17.0", "--module", "Shop",
            "--swift-version", "5.0", "--no-warnings",
        ],
        ["--module=Shop", "--macosx-deployment-target=10.15", "-no-warnings"],
        [
            "-XD_MOMC_SDKROOT=/SDK", "-XD_MOMC_IOS_TARGET_VERSION=7.0", "-MOMC_PLATFORMS",
            "iphonesimulator", "-XD_MOMC_NO_WARNINGS", "-module", "Shop",
        ],
        ["--action", "compile", "--module", "Shop", "--no-warnings"],
    ]

    @Test(arguments: spellings)
    func `options are taken in every spelling`(options: [String]) throws {
        try withModel { (folder, model) throws in
            let out = folder.path + "/A.mom"
            let result = try compiler("momc", options + [model, out])
            #expect(result.status == 0)
            #expect(result.errors == "")
            #expect(try momtool("inspect", out, "--format", "json").output.contains("Shop.Photo"))
        }
    }

    @Test(arguments: ["--sdkroot", "--frobnicate", "--action=frobnicate"])
    func `arguments that make no sense are refused`(option: String) throws {
        try withModel { (folder, model) throws in
            let result = try compiler("momc", model, folder.path + "/A.mom", option)
            #expect(result.status == 1)
            #expect(result.errors.hasPrefix("momc: error: "))
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/A.mom"))
        }
    }

    @Test func `classes are generated, and named by a dry run`() throws {
        let text = Self.model.replacing(".Photo", with: "Photo\" codeGenerationType=\"class")
        try withModel(text) { (folder, model) throws in
            let options = ["--action", "generate", "--swift-version", "5.0"]
            let out = folder.path + "/classes"
            let names =
                ["A+CoreDataModel.swift", "Photo+CoreDataClass.swift"]
                + ["Photo+CoreDataProperties.swift"]
            let dry = try compiler("momc", options + ["--dry-run", "--no-warnings", model, out])
            #expect(dry.status == 0)
            #expect(dry.output == names.map { "\(out)/\($0)\n" }.joined())
            #expect(!FileManager.default.fileExists(atPath: out))
            #expect(try compiler("momc", options + [model, out]).status == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: out).sorted() == names)
            let again = try momtool("generate", model, "-o", out)
            #expect(again.output == "\(out): up to date, 3 files\n")
            let other = folder.path + "/other"
            let objectiveC = ["generate", model, "--language", "objective-c", "-o", other]
            #expect(try momtool(objectiveC).status == 0)
            #expect(FileManager.default.fileExists(atPath: other + "/A+CoreDataModel.h"))
            #expect(try momtool("generate", model).status == 64)
            #expect(try momtool("generate", "-o", out).status == 64)
        }
    }

    @Test func `classes of a bundle without a current version are refused`() throws {
        try withFolder { (folder) throws in
            for name in ["A", "B"] {
                let version = folder.appending(path: "M.xcdatamodeld/\(name).xcdatamodel")
                try makeFolder(version)
                try write(Self.model, "contents", in: version)
            }
            let model = folder.path + "/M.xcdatamodeld"
            let result = try compiler("momc", "--action", "generate", model, folder.path)
            #expect(result.status == 1)
            #expect(result.errors.contains("names no current version"))
        }
    }

    @Test func `a dry run writes nothing`() throws {
        try withModel { (folder, model) throws in
            let out = folder.path + "/A.mom"
            #expect(try compiler("momc", "--dry-run", model, out).status == 0)
            #expect(!FileManager.default.fileExists(atPath: out))
        }
    }

    @Test func `a required attribute without default is an error in a model for CloudKit`() throws {
        let text = """
            <model usedWithCloudKit="YES"><entity name="Note">
            <attribute name="body" attributeType="String"/></entity></model>
            """
        try withModel(text) { (folder, model) throws in
            let result = try compiler("momc", model, folder.path + "/A.mom")
            #expect(result.status == 1)
            #expect(
                result.errors
                    == "\(model):Note.body: error: Note.body must have a default value [8]\n"
            )
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/A.mom"))
        }
    }

    @Test func `the error about a transient inverse can be switched off`() throws {
        let text = """
            <model><entity name="A">
            <relationship name="b" maxCount="1" destinationEntity="A" inverseName="c" inverseEntity="A"/>
            <relationship name="c" maxCount="1" transient="YES" destinationEntity="A" inverseName="b" \
            inverseEntity="A"/></entity></model>
            """
        try withModel(text) { (folder, model) throws in
            let refused = try compiler("momc", model, folder.path)
            #expect(refused.status == 1)
            #expect(refused.errors.contains(":A.b: error: "))
            let option = "--suppress-inverse-transient-error"
            #expect(try compiler("momc", option, model, folder.path).status == 0)
        }
    }

    @Test func `errors about the model name the element and end with status 1`() throws {
        try withModel("<model><entity name='A' parentEntity='B'/></model>") {
            (folder, model) throws in
            let result = try compiler("momc", model, folder.path)
            #expect(result.status == 1)
            #expect(result.errors.hasPrefix("\(model):A: error: "))
            #expect(result.errors.hasSuffix(" [0]\n"))
        }
    }

    @Test func `bundles go to folders or to paths of their own`() throws {
        let library = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
        try withFolder { (folder) throws in
            #expect(try compiler("momc", library, folder.path).status == 0)
            #expect(try compiler("momc", library, folder.path + "/Own.momd").status == 0)
            #expect(try compiler("momc", library, folder.path + "/Current.mom").status == 0)
            func bytes(_ path: String) throws -> Data {
                try Data(contentsOf: folder.appending(path: path))
            }
            #expect(try bytes("Library.momd/V6.mom") == bytes("Own.momd/V6.mom"))
            #expect(try bytes("Library.momd/V6.mom") == bytes("Current.mom"))
        }
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `mapping models find the models that they lead between`() throws {
        let samples = Corpus.paths {
            $0.hasPrefix("objcio+core-data/") && $0.hasSuffix(".xcmappingmodel")
        }
        #expect(samples.count >= 4)
        try withFolder { (folder) throws in
            for sample in samples {
                let out = folder.path + "/M.cdm"
                let result = try compiler("mapc", Corpus.path(sample), out)
                #expect(result.status == 0, "\(sample): \(result.errors)")
                #expect(FileManager.default.fileExists(atPath: out))
                try FileManager.default.removeItem(atPath: out)
            }
            let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
            #expect(try compiler("mapc", model, folder.path).status == 1)
        }
    }
}
