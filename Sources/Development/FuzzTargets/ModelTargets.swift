import CloudKitSchema
import Diagnostics
import Foundation
import MappingInference
import ModelChecking
import ModelCompiling
import ModelDiffing
import ModelDrawing
import ModelHashing
import ModelLoading
import ObjectModel
import PropertyLists
import SettingsFiles
import SQLiteAccess
import StoreFormat

extension FuzzTarget {
    static let model = FuzzTarget(
        "model",
        "the contents of an .xcdatamodel, with all that is made of a model",
        tokens: ModelTokens.source,
        takes: { $0.hasSuffix(".xcdatamodel/contents") },
        samples: { [SampleModel.text(renamed: false), SampleModel.text(renamed: true)] },
        run: { bytes in
            let read = readModel(contents: bytes, path: "contents")
            exercise(read.value)
            return verdict(read.diagnostics)
        }
    )

    static let compiledModel = FuzzTarget(
        "compiled-model",
        "a .mom, with all that is made of a model",
        tokens: ModelTokens.archive,
        takes: { $0.hasSuffix(".mom") },
        samples: { [compileModel(SampleModel.old).value.binaryData] },
        run: { bytes in
            let read = readCompiledModel(bytes, path: "Model.mom")
            exercise(read.value)
            return verdict(read.diagnostics)
        }
    )

    static let propertyList = FuzzTarget(
        "property-list",
        "a property list in either format, and as a keyed archive",
        tokens: ModelTokens.archive + ["<array>", "</array>", "<dict>", "<key>", "<integer>"],
        takes: { $0.hasSuffix(".plist") || $0.hasSuffix(".xccurrentversion") },
        samples: { [compileModel(SampleModel.new).value.binaryData] },
        run: { bytes in
            do throws(PropertyListError) {
                let list = try readPropertyList(bytes)
                _ = list.binaryData
                let archive = try? KeyedArchive(list)
                _ = archive?.binaryData
                return .accepted
            } catch { return .refused("\(error)") }
        }
    )

    static let mapping = FuzzTarget(
        "mapping-model",
        "the xcmapping.xml of an .xcmappingmodel, compiled too",
        tokens: ["<object ", "<attribute name=\"", "<relationship ", "idrefs=\"z1 z2\"", "NULL"],
        takes: { $0.hasSuffix("xcmapping.xml") },
        sizeLimit: 200_000,
        samples: { [Data(MappingSample.text.utf8)] },
        run: { bytes in
            let read = readMappingModel(bytes, path: "xcmapping.xml")
            return exercise(read)
        }
    )

    static let compiledMapping = FuzzTarget(
        "compiled-mapping-model",
        "a .cdm, compiled again",
        tokens: ModelTokens.archive,
        takes: { $0.hasSuffix(".cdm") },
        samples: {
            let source = MappingModelSource()
            let archive = compileMappingModel(source, from: SampleModel.old, to: SampleModel.new)
            return [archive.value.binaryData]
        },
        run: { bytes in
            let read = readCompiledMappingModel(bytes, path: "Mapping.cdm")
            return exercise(read)
        }
    )
}

enum ModelTokens {
    static let source = [
        "<entity name=\"A\" parentEntity=\"A\">", "</entity>", "parentEntity=\"Book\"",
        "<attribute name=\"a\" attributeType=\"Integer 64\" defaultValueString=\"",
        "<relationship name=\"r\" destinationEntity=\"Book\" inverseName=\"r\" inverseEntity=\"Book\"/>",
        "toMany=\"YES\"", "ordered=\"YES\"", "minCount=\"", "maxCount=\"", "elementID=\"",
        "attributeType=\"Composite\"", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "&b;", "&#0;",
        "<![CDATA[", "<!ENTITY x SYSTEM \"file:///etc/passwd\">", "derivationExpression=\"",
        "renamingIdentifier=\"", "<fetchIndex name=\"i\">", "<uniquenessConstraint>",
        "isAbstract=\"YES\"", "\u{0}", "\u{FFFF}",
    ]

    static let archive = [
        "bplist00", "$objects", "$class", "$null", "NSEntityDescription", "NS.keys", "NS.objects",
        "NSPropertyDescription", "\u{D}\u{0}", "x$versionX$archiver",
    ]
}

enum SampleModel {
    static let old = readModel(contents: text(renamed: false), path: "old").value
    static let new = readModel(contents: text(renamed: true), path: "new").value

    static func text(renamed: Bool) -> Data {
        let title = renamed ? #"name="heading" elementID="title""# : #"name="title""#
        return Data(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Book" syncable="YES">
            <attribute \(title) optional="YES" attributeType="String"/>
            <attribute name="pages" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>
            <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify"
             destinationEntity="Person" inverseName="books" inverseEntity="Person"/>
            </entity>
            <entity name="Person" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <relationship name="books" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade"
             destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
            <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify"
             destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
            </entity>
            </model>
            """.utf8
        )
    }
}

/// Makes everything that commands make from a model.
func exercise(_ model: ManagedObjectModel) {
    let hashes = versionHashes(of: model)
    _ = hashes.checksum
    _ = hashes.digest
    let archive = compileModel(model)
    if !archive.hasErrors { _ = readCompiledModel(archive.value.binaryData, path: "again") }
    _ = modelContents(of: model)
    if let mirrored = MirroredEntities(of: model) {
        let prediction = predictSchema(of: model, mirroring: mirrored)
        _ = checkSchema(prediction.schema(), path: "again", against: prediction)
    }
    _ = compilerFindings(in: model)
    let versions = [
        ModelVersion(name: "Old", path: "old", isCurrent: false, model: SampleModel.old),
        ModelVersion(name: "New", path: "new", isCurrent: true, model: model),
    ]
    _ = check(versions, path: "Model.xcdatamodeld")
    let diagram = Diagram(model)
    _ = (diagram.mermaid, diagram.dot)
    _ = inferMapping(from: SampleModel.old, to: model)
    _ = inferMapping(from: model, to: SampleModel.old)
    let layout = StoreLayout(model: model)
    if let connection = try? SQLiteConnection(path: ":memory:", mode: .create) {
        try? createObjects(of: layout, on: connection)
    }
}

private func exercise(_ read: Diagnosed<MappingModelSource>) -> FuzzVerdict {
    let archive = compileMappingModel(read.value, from: SampleModel.old, to: SampleModel.new)
    _ = archive.value.binaryData
    _ = stageMap(of: read.value, path: "Mapping.cdm")
    return verdict(read.diagnostics)
}

func verdict(_ diagnostics: [Diagnostic]) -> FuzzVerdict {
    let error = diagnostics.first { $0.severity == .error }
    return error.map { .refused($0.message) } ?? .accepted
}
