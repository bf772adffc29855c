import Diagnostics
package import Foundation
import ModelCompiling
import ModelLoading
import ObjectModel
package import PropertyLists

extension FuzzTarget {
    static let legacyModel = FuzzTarget(
        "legacy-model",
        "the elements of an .xcdatamodel of Xcode 3, with all that is made of a model",
        tokens: ModelTokens.archive + [
            "XDPMEntity", "XDUMLPropertyImp", "XD_PAttK_attributeType", "XD_PRK_maxCount",
            "XDBucketForStereotypesstorage", "NSDecimalNumberPlaceholder", "12/31/72", "now",
        ],
        takes: { $0.hasSuffix(".xcdatamodel/elements") },
        samples: { [LegacySample.library.elements] },
        run: { bytes in
            let read = readModel(elements: bytes, path: "elements")
            exercise(read.value)
            return verdict(read.diagnostics)
        }
    )
}

package struct LegacySample: Sendable {
    /// The value of a stereotype or an object under a key.
    package indirect enum Value: Sendable {
        case plain(PropertyList)
        /// A whole number in the form of a text field.
        case decimal(UInt16)
        /// An entity by its name, or a relationship as `Entity.name`.
        case object(String)
        case dictionary([String: Value])
        case list([Value])
        case request(name: String?, entity: String, predicate: String?)
    }

    /// A property: the class of its object, and the values of its stereotypes.
    package struct Property: Sendable {
        var name: String
        var className: String
        var values: [String: Value]

        package init(_ name: String, _ className: String, _ values: [String: Value]) {
            (self.name, self.className, self.values) = (name, className, values)
        }
    }

    package struct Entity: Sendable {
        var name: String
        var parent: String?
        var values: [String: Value]
        package var properties: [Property]

        package init(
            _ name: String,
            parent: String? = nil,
            _ values: [String: Value] = [:],
            properties: [Property]
        ) {
            (self.name, self.parent, self.values) = (name, parent, values)
            self.properties = properties
        }
    }

    package var entities: [Entity]
    package var configurations: [String]

    package init(_ entities: [Entity], configurations: [String] = []) {
        (self.entities, self.configurations) = (entities, configurations)
    }

    package var elements: Data {
        var writer = LegacyWriter()
        return writer.archive(of: self).binaryData
    }

    package static let library = LegacySample([
        Entity(
            "Book",
            [
                "XD_PSK_entityClassName": .plain(.string("LibraryBook")),
                "XD_PSK_fetchRequestsArray": .list([
                    .request(name: "thick", entity: "Book", predicate: "pages > 500")
                ]),
                "XD_PSK_userInfo": .dictionary([
                    "shelf": .plain(.string("A")),
                    "com.apple.syncservices.Syncable": .plain(.string("NO")),
                ]),
            ],
            properties: [
                Property("title", "XDPMAttribute", attribute(700)),
                Property(
                    "pages",
                    "XDPMAttribute",
                    attribute(200).merging([
                        "XD_PAttK_defaultValueAsString": .plain(.string("0")),
                        "XD_PPSK_isIndexed": .plain(.boolean(true)),
                    ]) { $1 }
                ), Property("printed", "XDPMAttribute", attribute(900)),
                Property("reader", "XDPMRelationship", relationship("Person", "Person.books")),
            ]
        ), Entity("Novel", parent: "Book", properties: []),
        Entity(
            "Person",
            properties: [
                Property("name", "XDPMAttribute", attribute(700)),
                Property(
                    "books",
                    "XDPMRelationship",
                    relationship("Book", "Book.reader").merging([
                        "XD_PRK_isToMany": .plain(.boolean(true)), "XD_PRK_maxCount": .decimal(0),
                    ]) { $1 }
                ),
                Property(
                    "thick",
                    "XDPMFetchedProperty",
                    [
                        "XD_PFP_fetchRequestKey": .request(
                            name: nil,
                            entity: "Book",
                            predicate: "pages > 500"
                        )
                    ]
                ),
            ]
        ),
    ])

    package static func attribute(_ type: Int64) -> [String: Value] {
        [
            "XD_PPSK_isOptional": .plain(.boolean(true)),
            "XD_PAttK_attributeType": .plain(.integer(type)),
        ]
    }

    package static func relationship(_ entity: String, _ inverse: String) -> [String: Value] {
        [
            "XD_PPSK_isOptional": .plain(.boolean(true)), "XD_PRK_destination": .object(entity),
            "XD_PRK_inverseRelationship": .object(inverse),
            "XD_PRK_deleteRule": .plain(.integer(1)), "XD_PRK_maxCount": .plain(.integer(1)),
        ]
    }
}

private struct LegacyWriter {
    private var archiver = ModelArchiver(ManagedObjectModel(), options: CompilerOptions())
    private var objects: [String: KeyedArchive.Reference] = [:]

    mutating func archive(of sample: LegacySample) -> KeyedArchive {
        let root = archiver.reserve()
        for entity in sample.entities {
            objects[entity.name] = archiver.reserve()
            for property in entity.properties {
                objects["\(entity.name).\(property.name)"] = archiver.reserve()
            }
        }
        var classes: [String: LegacySample.Value] = [:]
        for entity in sample.entities {
            write(entity)
            classes[entity.name] = .object(entity.name)
        }
        let package = add("XDModelPackage", ["XDBucketForClassesstorage": .dictionary(classes)])
        let configurations = sample.configurations.map { ($0, LegacySample.Value.list([])) }
        archiver.fill(
            root,
            .init("XDPMModel"),
            [
                "_xd_rootPackage": .reference(package), "_modelVersionIdentifier": .null,
                "_configurationsByName": .reference(
                    reference(.dictionary(Dictionary(uniqueKeysWithValues: configurations)))
                ),
            ]
        )
        archiver.archive.top = ["root": .reference(root)]
        return archiver.archive
    }

    private mutating func write(_ entity: LegacySample.Entity) {
        guard let own = objects[entity.name] else { return }
        var properties: [String: LegacySample.Value] = [:]
        for property in entity.properties {
            let key = "\(entity.name).\(property.name)"
            properties[property.name] = .object(key)
            guard let reference = objects[key] else { continue }
            let kind = property.className.dropFirst("XDPM".count)
            let names = ["Attribute": "XD_PAtt_Stereotype", "Relationship": "XD_PR_Stereotype"]
            let shared = property.values.filter { $0.key.hasPrefix("XD_PPSK_") }
            let other = property.values.filter { !$0.key.hasPrefix("XD_PPSK_") }
            let stereotypes = stereotypes([
                "XD_PPropStereotype": shared, names[String(kind)] ?? "XD_PFP_Stereotype": other,
            ])
            archiver.fill(
                reference,
                .init(property.className),
                [
                    "_name": archiver.string(property.name), "_owner": .reference(own),
                    "XDBucketForStereotypesstorage": .reference(stereotypes),
                ]
            )
        }
        var values: KeyedArchive.Values = [
            "_name": archiver.string(entity.name), "_isAbstract": .boolean(false),
            "XDBucketForOwnedAttributesstorage": .reference(reference(.dictionary(properties))),
            "XDBucketForStereotypesstorage": .reference(
                stereotypes(["XD_PStereotype": entity.values])
            ),
        ]
        if let parent = entity.parent {
            let link = add(
                "XDUMLGeneralizationImp",
                ["_general": .object(parent), "_specific": .object(entity.name)]
            )
            values["XDBucketForGeneralizationsstorage"] = .reference(list([link]))
        }
        archiver.fill(own, .init("XDPMEntity"), values)
    }

    private mutating func stereotypes(
        _ values: [String: [String: LegacySample.Value]]
    ) -> KeyedArchive.Reference {
        let pairs = values.keys.sorted().map { name in
            let own = values[name] ?? [:]
            let properties = own.keys.sorted().map { key in
                let pair = add(
                    "XDUMLPropertyImp",
                    ["_name": .plain(.string(key)), "_default": own[key] ?? .list([])]
                )
                return (key, pair)
            }
            let bucket = dictionary(properties)
            let stereotype = archiver.add(
                .init("XDUMLStereotypeImp"),
                [
                    "_name": archiver.string(name),
                    "XDBucketForOwnedAttributesstorage": .reference(bucket),
                ]
            )
            return (name, stereotype)
        }
        return dictionary(pairs)
    }

    private mutating func add(
        _ className: String,
        _ values: [String: LegacySample.Value]
    ) -> KeyedArchive.Reference {
        var held = KeyedArchive.Values()
        for key in values.keys.sorted() {
            held[key] = values[key].map { .reference(reference($0)) }
        }
        return archiver.add(.init(className), held)
    }

    private mutating func reference(_ value: LegacySample.Value) -> KeyedArchive.Reference {
        switch value {
        case .plain(let plain): return archiver.plain(plain)
        case .object(let name): return objects[name] ?? .null
        case .list(let values): return list(values.map { reference($0) })
        case .dictionary(let values):
            return dictionary(values.keys.sorted().map { ($0, reference(values[$0] ?? .list([]))) })
        case .decimal(let number):
            return archiver.decimal(
                DecimalValue(isNegative: false, mantissa: UInt128(number), exponent: 0)
            )
        case .request(let name, let entity, let predicate):
            var values: [String: LegacySample.Value] = ["_entity": .object(entity)]
            values["_name"] = name.map { .plain(.string($0)) }
            values["_predicateString"] = predicate.map { .plain(.string($0)) }
            return add("XDPMFetchRequest", values)
        }
    }

    private mutating func dictionary(
        _ pairs: [(String, KeyedArchive.Reference)]
    ) -> KeyedArchive.Reference {
        archiver.dictionary(pairs, .init("NSMutableDictionary", "NSDictionary"))
    }

    private mutating func list(_ values: [KeyedArchive.Reference]) -> KeyedArchive.Reference {
        archiver.collection(values, .init("NSMutableArray", "NSArray"))
    }
}
