import Diagnostics
import ObjectModel
import PropertyLists

/// Archives a model as Xcode's mapping editor keeps it inside an `xcmapping.xml` (CompiledModels, "Mapping models").
///
/// The archive is a class diagram: entities are classes, and what Core Data knows about them stands in stereotypes,
/// which are lists of keys and values. It has no place for configurations, fetch requests, fetch indexes, derivations
/// and the elements of composite attributes; the editor reads these from the model itself.
///
/// The identifiers of elements, random numbers in Xcode's files, follow from names here, so that the same model gives
/// the same bytes.
func editorArchive(of model: ManagedObjectModel) -> KeyedArchive {
    var archiver = EditorArchiver(model)
    archiver.addModel()
    return archiver.archiver.archive
}

/// Builds the archive of one model.
private struct EditorArchiver {
    typealias Reference = KeyedArchive.Reference
    typealias Values = KeyedArchive.Values
    typealias Pair = (key: String, value: Reference)

    /// The objects of one entity, which refer to each other and so are reserved before any is written.
    struct Reserved {
        var entity: Reference
        var properties: [String: Reference] = [:]
        var generalization: Reference?
        var children: [String] = []
    }

    let model: ManagedObjectModel
    var archiver = ModelArchiver(ManagedObjectModel(), options: CompilerOptions())
    private var reserved: [String: Reserved] = [:]
    private var package = Reference.null
    private var recordClass = Reference.null

    init(_ model: ManagedObjectModel) {
        var names: Set<String> = []
        var distinct = model.sortedByName
        distinct.entities = distinct.entities.filter { names.insert($0.name).inserted }
        self.model = distinct
    }

    mutating func addModel() {
        let root = archiver.reserve()
        package = archiver.reserve()
        reserve()
        var record = named("XDGenericRecordClass", owner: .null, identifier: .null)
        record["_isAbstract"] = .plain(.boolean(false))
        recordClass = archiver.add(.editorClass, record)
        for entity in model.entities { add(entity) }
        addPackage(owner: root)
        archiver.fill(
            root,
            .editorModel,
            [
                "_xd_rootPackage": .reference(package),
                "_xd_modelName": .reference(.null),
                "_xd_comments": .reference(archiver.collection([], .mutableArray)),
                "_configurationsByName": .reference(archiver.dictionary([], .mutableDictionary)),
                "_modelVersionIdentifier": archiver.string(model.versionIdentifiers.first ?? ""),
            ]
        )
        archiver.archive.top = ["root": .reference(root)]
    }

    private mutating func reserve() {
        for entity in model.entities {
            var objects = Reserved(entity: archiver.reserve())
            for property in entity.attributes { objects.reserve(property.name, &archiver) }
            for property in entity.relationships { objects.reserve(property.name, &archiver) }
            reserved[entity.name] = objects
        }
        for entity in model.entities {
            guard let parent = entity.parentEntity, reserved[parent] != nil else { continue }
            reserved[entity.name]?.generalization = archiver.reserve()
            reserved[parent]?.children.append(entity.name)
        }
    }

    private mutating func addPackage(owner: Reference) {
        let classes = model.entities.map { ($0.name, reserved[$0.name]?.entity ?? .null) }
        var values = named("", owner: .null, identifier: .null)
        values["_xd_owningModel"] = .reference(owner)
        for kind in ["Classes", "Interfaces", "DataTypes", "Packages"] {
            let entries = kind == "Classes" ? classes : []
            let storage = archiver.dictionary(entries, .mutableDictionary)
            values["XDBucketFor\(kind)storage"] = .reference(storage)
            values["XDBucketFor\(kind)wasEncoded"] = archiver.string("YES")
        }
        archiver.fill(package, .editorPackage, values)
    }

    private mutating func add(_ entity: Entity) {
        guard let objects = reserved[entity.name] else { return }
        var values = named(
            entity.name,
            owner: package,
            identifier: identifier("entity \(entity.name)")
        )
        values["_isAbstract"] = .plain(.boolean(entity.isAbstract))
        var properties: [(String, Reference)] = []
        for attribute in entity.attributes {
            let reference = objects.properties[attribute.name] ?? .null
            fill(reference, attribute, of: entity, objects.entity)
            properties.append((attribute.name, reference))
        }
        for relationship in entity.relationships {
            let reference = objects.properties[relationship.name] ?? .null
            fill(reference, relationship, of: entity, objects.entity)
            properties.append((relationship.name, reference))
        }
        setBucket("OwnedAttributes", archiver.dictionary(properties, .mutableDictionary), &values)
        addGeneralizations(entity, objects, &values)
        let stereotype = stereotype("XD_PStereotype", of: objects.entity, settings(of: entity))
        let stereotypes = archiver.dictionary(
            [("XD_PStereotype", stereotype)],
            .mutableDictionary
        )
        setBucket("Stereotypes", stereotypes, &values)
        archiver.fill(objects.entity, .editorEntity, values)
    }

    private mutating func addGeneralizations(
        _ entity: Entity,
        _ objects: Reserved,
        _ values: inout Values
    ) {
        var parents: [Reference] = []
        if let link = objects.generalization {
            parents = [link]
            var values = named(
                nil,
                owner: objects.entity,
                identifier: identifier("generalization \(entity.name)")
            )
            let parent = entity.parentEntity.flatMap { reserved[$0]?.entity } ?? .null
            values["_general"] = .reference(parent)
            values["_specific"] = .reference(objects.entity)
            archiver.fill(link, .editorGeneralization, values)
        }
        setBucket("Generalizations", archiver.collection(parents, .mutableArray), &values)
        values["XDBucketForGeneralizationsduplicates"] = archiver.string("duplicates")
        let children = objects.children.compactMap { reserved[$0]?.generalization }
        guard !children.isEmpty else { return }
        setBucket("Specializations", archiver.collection(children, .mutableArray), &values)
        values["XDBucketForSpecializationsduplicates"] = archiver.string("duplicates")
    }

    private mutating func settings(of entity: Entity) -> [Pair] {
        let constraints = entity.uniquenessConstraints.map { names($0.properties) }
        return [
            ("XDPMCompoundIndexes", collection(entity.compoundIndexes.map { names($0) })),
            ("XDPMUniquenessConstraints", collection(constraints)),
            ("XD_PSK_classMapping", recordClass),
            ("XD_PSK_elementID", text(entity.renamingIdentifier)),
            ("XD_PSK_entityClassName", text(entity.className)),
            ("XD_PSK_fetchRequestsArray", collection([])),
            ("XD_PSK_isAbstract", flag(entity.isAbstract)),
            ("XD_PSK_userInfo", userInfo(entity.userInfo)),
            ("XD_PSK_versionHashModifier", text(entity.versionHashModifier)),
        ]
    }

    private mutating func fill(
        _ reference: Reference,
        _ attribute: Attribute,
        of entity: Entity,
        _ owner: Reference
    ) {
        let limits = attribute.validation
        let written = attribute.sourceSettings["defaultValueString"]
        let own: [Pair] = [
            ("XD_PAttK_allowsExternalBinaryDataStorage", flag(attribute.flags[.externalStorage])),
            ("XD_PAttK_attributeType", number(attribute.type.rawValue)),
            (
                "XD_PAttK_defaultValueAsString",
                text(written ?? attribute.defaultValue?.sourceText)
            ),
            ("XD_PAttK_maxValueString", text(limits.maximum?.sourceText)),
            ("XD_PAttK_minValueString", text(limits.minimum?.sourceText)),
            ("XD_PAttK_regularExpressionString", text(limits.regularExpression)),
            ("XD_PAttK_valueTransformerName", text(attribute.valueTransformerName)),
        ]
        fill(
            reference,
            .editorAttribute,
            named: "\(entity.name).\(attribute.name)",
            common(attribute),
            ("XD_PAtt_Stereotype", own),
            of: attribute.name,
            owner
        )
    }

    private mutating func fill(
        _ reference: Reference,
        _ relationship: Relationship,
        of entity: Entity,
        _ owner: Reference
    ) {
        let destination = relationship.destinationEntity.flatMap { reserved[$0] }
        let inverseOwner = relationship.inverseEntity.flatMap { reserved[$0] } ?? destination
        let inverse = relationship.inverseName.flatMap { inverseOwner?.properties[$0] }
        let own: [Pair] = [
            ("XD_PRK_deleteRule", number(relationship.deleteRule.rawValue)),
            ("XD_PRK_destination", destination?.entity ?? .null),
            ("XD_PRK_inverseRelationship", inverse ?? .null),
            ("XD_PRK_isToMany", flag(relationship.isToMany)),
            ("XD_PRK_maxCount", number(relationship.maxCount ?? 0)),
            ("XD_PRK_minCount", number(relationship.minCount ?? 0)),
            ("XD_PRK_ordered", flag(relationship.isOrdered)),
        ]
        fill(
            reference,
            .editorRelationship,
            named: "\(entity.name).\(relationship.name)",
            common(relationship),
            ("XD_PR_Stereotype", own),
            of: relationship.name,
            owner
        )
    }

    private mutating func common(_ property: some FlaggedProperty) -> [Pair] {
        [
            ("XD_PPSK_elementID", text(property.renamingIdentifier)),
            ("XD_PPSK_isIndexed", flag(property.flags[.indexed])),
            ("XD_PPSK_isOptional", flag(property.isOptional)),
            ("XD_PPSK_isSpotlightIndexed", flag(property.flags[.spotlightIndexing])),
            ("XD_PPSK_isStoredInTruthFile", flag(property.flags[.storedInTruthFile])),
            ("XD_PPSK_isTransient", flag(property.isTransient)),
            ("XD_PPSK_userInfo", userInfo(property.userInfo)),
            ("XD_PPSK_versionHashModifier", text(property.versionHashModifier)),
        ]
    }

    private mutating func fill(
        _ reference: Reference,
        _ record: KeyedArchive.ClassRecord,
        named path: String,
        _ common: [Pair],
        _ own: (name: String, settings: [Pair]),
        of name: String,
        _ owner: Reference
    ) {
        var values = umlProperty(name, owner: owner, identifier: identifier(path))
        let stereotypes: [(String, Reference)] = [
            ("XD_PPropStereotype", stereotype("XD_PPropStereotype", of: reference, common)),
            (own.name, stereotype(own.name, of: reference, own.settings)),
        ]
        setBucket("Stereotypes", archiver.dictionary(stereotypes, .mutableDictionary), &values)
        archiver.fill(reference, record, values)
    }

    /// Adds a list of keys and values that belongs to an entity or a property.
    private mutating func stereotype(
        _ name: String,
        of owner: Reference,
        _ settings: [Pair]
    ) -> Reference {
        let reference = archiver.reserve()
        let entries = settings.map { setting in
            var values = umlProperty(setting.key, owner: reference, identifier: .null)
            values["_default"] = .reference(setting.value)
            return (setting.key, archiver.add(.editorSetting, values))
        }
        var values = named(name, owner: owner, identifier: .null)
        values["_isAbstract"] = .plain(.boolean(false))
        setBucket("OwnedAttributes", archiver.dictionary(entries, .mutableDictionary), &values)
        archiver.fill(reference, .editorStereotype, values)
        return reference
    }

    /// Puts a collection under the keys by which a UML object keeps it.
    private mutating func setBucket(
        _ name: String,
        _ storage: Reference,
        _ values: inout Values
    ) {
        values["XDBucketFor\(name)storage"] = .reference(storage)
        values["XDBucketFor\(name)wasEncoded"] = archiver.string("YES")
        values["XDBucketFor\(name)ordered"] = archiver.string("ordered")
    }

    private mutating func umlProperty(
        _ name: String,
        owner: Reference,
        identifier: Reference
    ) -> Values {
        var values = named(name, owner: owner, identifier: identifier)
        for key in ["_type", "_default", "_association"] { values[key] = .reference(.null) }
        for key in ["Composite", "Derived", "Leaf", "Ordered", "ReadOnly", "Static", "Unique"] {
            values["_is\(key)"] = .plain(.boolean(false))
        }
        return values
    }

    private mutating func named(
        _ name: String?,
        owner: Reference,
        identifier: Reference
    ) -> Values {
        [
            "_name": archiver.string(name),
            "_owner": .reference(owner),
            "_uniqueElementID": .reference(identifier),
            "_visibility": .plain(.integer(0)),
        ]
    }

    /// A number that stands for an element, of 32 bits as most of Xcode's own.
    private mutating func identifier(_ path: String) -> Reference {
        archiver.plain(.integer(Int64(fnv1a(path))))
    }

    private mutating func text(_ text: String?) -> Reference {
        text.map { archiver.plain(.string($0)) } ?? .null
    }

    private mutating func flag(_ flag: Bool) -> Reference {
        archiver.plain(.boolean(flag))
    }

    private mutating func number(_ number: Int) -> Reference {
        archiver.plain(.integer(Int64(number)))
    }

    private mutating func names(_ names: [String]) -> Reference {
        collection(names.map { archiver.plain(.string($0)) })
    }

    private mutating func collection(_ elements: [Reference]) -> Reference {
        archiver.collection(elements, .mutableArray)
    }

    private mutating func userInfo(_ entries: [UserInfoEntry]) -> Reference {
        let values = entries.map { ($0.key, archiver.plain(.string($0.value))) }
        return archiver.dictionary(values, .mutableDictionary)
    }
}

extension EditorArchiver.Reserved {
    fileprivate mutating func reserve(_ name: String, _ archiver: inout ModelArchiver) {
        if properties[name] == nil { properties[name] = archiver.reserve() }
    }
}

/// FNV-1a, a hash that needs to be spread evenly and nothing else.
func fnv1a(_ text: String, salt: UInt8 = 0) -> UInt32 {
    text.utf8.reduce(2_166_136_261 ^ UInt32(salt)) { ($0 ^ UInt32($1)) &* 16_777_619 }
}

/// The classes of Xcode's editor, with the superclasses that its archives record.
extension KeyedArchive.ClassRecord {
    fileprivate static let editorModel = Self("XDPMModel", "XDModel")
    fileprivate static let editorPackage = Self(
        "XDModelPackage",
        "XDUMLPackageImp",
        "XDUMLNamespaceImp",
        "XDUMLNamedElementImp",
        "XDUMLElementImp"
    )
    fileprivate static let editorClass = Self(chain: ["XDUMLClassImp"] + classifier)
    fileprivate static let editorEntity = Self(
        chain: ["XDPMEntity", "XDUMLClassImp"] + classifier
    )
    fileprivate static let editorStereotype = Self(
        chain: ["XDUMLStereotypeImp", "XDUMLClassImp"] + classifier
    )
    fileprivate static let editorSetting = Self(chain: ["XDUMLPropertyImp"] + namedElement)
    fileprivate static let editorAttribute = Self(
        chain: ["XDPMAttribute", "XDPMProperty", "XDUMLPropertyImp"] + namedElement
    )
    fileprivate static let editorRelationship = Self(
        chain: ["XDPMRelationship", "XDPMProperty", "XDUMLPropertyImp"] + namedElement
    )
    fileprivate static let editorGeneralization = Self(
        chain: ["XDUMLGeneralizationImp"] + namedElement
    )

    private static let namedElement = ["XDUMLNamedElementImp", "XDUMLElementImp"]
    private static let classifier = ["XDUMLClassifierImp", "XDUMLNamespaceImp"] + namedElement

    private init(chain: [String]) {
        self.init(name: chain.first ?? "", chain: chain + ["NSObject"])
    }
}
