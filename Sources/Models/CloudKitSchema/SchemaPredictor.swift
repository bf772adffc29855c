import Diagnostics
import ObjectModel

struct SchemaPredictor {
    private let graph: ModelGraph
    private let mirrored: MirroredEntities
    private(set) var recordTypes: [PredictedRecordType] = []
    private(set) var diagnostics: [Diagnostic] = []
    private var links: SourceMark?

    init(model: ManagedObjectModel, mirrored: MirroredEntities) {
        graph = ModelGraph(model)
        self.mirrored = mirrored
    }

    mutating func predict() {
        var types = OrderedTypes()
        for entity in graph.model.entities where mirrored.contains(entity.name) {
            let root = graph.root(of: entity)
            types.add(entity, below: root)
        }
        for (root, members) in types.list { recordTypes.append(recordType(of: root, members)) }
        if let links { recordTypes.append(linkType(at: links)) }
        reportNames()
    }

    private struct OrderedTypes {
        private(set) var list: [(root: Entity, members: [Entity])] = []
        private var places: [String: Int] = [:]

        mutating func add(_ entity: Entity, below root: Entity) {
            if let place = places[root.name] {
                list[place].members.append(entity)
            } else {
                places[root.name] = list.count
                list.append((root, [entity]))
            }
        }
    }

    private mutating func recordType(of root: Entity, _ members: [Entity]) -> PredictedRecordType {
        var fields = FieldList(root)
        // What members inherit from entities of other configurations is mirrored too.
        var declaring = members
        var names = Set(members.map(\.name))
        for member in members {
            for ancestor in graph.lineage(of: member).dropFirst()
            where names.insert(ancestor.name).inserted { declaring.append(ancestor) }
        }
        if declaring.count > 1 {
            unproven(
                "the record type of a hierarchy: 'CD_\(root.name)' takes the fields of"
                    + " \(declaring.count) entities",
                root.name,
                root.source
            )
        }
        for entity in declaring {
            for attribute in entity.attributes where !attribute.isTransient {
                add(attribute, of: entity, to: &fields)
            }
            for relationship in entity.relationships where !relationship.isTransient {
                add(relationship, of: entity, to: &fields)
            }
        }
        for other in fields.addReceipt(of: root) { reportTaken(other) }
        return PredictedRecordType(
            name: SystemNames.prefix + root.name,
            entity: root.name,
            fields: fields.list,
            source: nameMark(root.source)
        )
    }

    private mutating func add(_ attribute: Attribute, of entity: Entity, to fields: inout FieldList)
    {
        let element = "\(entity.name).\(attribute.name)"
        guard let type = mirroredType(of: attribute.type) else {
            let message =
                "give '\(attribute.name)' another type: mirroring does not support"
                + " \(attribute.type.sourceName ?? "an undefined type")"
            report(.unsupportedProperty, .error, message, element, attribute.source)
            return
        }
        var evidence = PredictedField.Evidence.seen
        if let doubt = doubt(about: attribute) {
            evidence = doubt.evidence
            unproven(doubt.text, element, attribute.source)
        }
        if attribute.sourceSettings["syncable"] == "NO" {
            unproven("what 'syncable' means for mirroring", element, attribute.source)
        }
        let name = SystemNames.prefix + attribute.name
        let isEncrypted = attribute.allowsCloudEncryption
        let field = PredictedField(
            field: RecordField(
                name,
                .single(type),
                isEncrypted: isEncrypted,
                options: isEncrypted ? [] : options(of: type)
            ),
            role: .property,
            evidence: evidence,
            element: element,
            source: nameMark(attribute.source)
        )
        add(field, to: &fields)
        guard attribute.type.row.isVariableLength else { return }
        if let other = fields.addCompanion(of: field) { reportTaken(other) }
    }

    private mutating func add(
        _ relationship: Relationship,
        of entity: Entity,
        to fields: inout FieldList
    ) {
        let element = "\(entity.name).\(relationship.name)"
        if let destination = relationship.destinationEntity, graph.hasEntity(destination),
            !mirrored.contains(destination)
        {
            let message = "make the destination of '\(relationship.name)' a mirrored entity"
            report("cloudkit-crossing-relationship", .error, message, element, relationship.source)
            return
        }
        let inverse = graph.inverse(of: relationship)?.0
        guard !relationship.isToMany else {
            guard inverse?.isToMany == true, links == nil else { return }
            links = nameMark(relationship.source)
            unproven(
                "the record type of many-to-many links, 'CDMR', and its fields",
                element,
                relationship.source
            )
            return
        }
        let isOneToOne = inverse.map { !$0.isToMany } ?? false
        if isOneToOne {
            unproven("a field on both sides of a one-to-one", element, relationship.source)
        }
        let field = PredictedField(
            field: RecordField(
                SystemNames.prefix + relationship.name,
                .single(.string),
                options: options(of: .string)
            ),
            role: .property,
            evidence: isOneToOne ? .documented : .seen,
            element: element,
            source: nameMark(relationship.source)
        )
        add(field, to: &fields)
    }

    /// Adds a field; sub-entities may share one of one type, and no other.
    private mutating func add(_ field: PredictedField, to fields: inout FieldList) {
        guard let other = fields.add(field) else { return }
        guard other.role == .property else { return reportTaken(field) }
        guard other.field.typeText != field.field.typeText else { return }
        let message =
            "'\(field.field.name)' would be \(field.field.typeText) here and"
            + " \(other.field.typeText) in '\(other.element)': rename one of them"
        let note = other.source.element.map { Diagnostic.Note("the other one is here", at: $0) }
        report(
            "cloudkit-sibling-types",
            .error,
            message,
            field.element,
            field.source,
            [note].compactMap(\.self)
        )
    }

    /// Reports a property whose field name mirroring uses for a field of its own.
    private mutating func reportTaken(_ field: PredictedField) {
        let message = "rename '\(field.element)': mirroring has its own field '\(field.field.name)'"
        report(.fieldName, .warning, message, field.element, field.source)
    }

    private func linkType(at source: SourceMark) -> PredictedRecordType {
        let names = ["CD_entityNames", "CD_recordNames", "CD_relationships"]
        let fields = names.map { name in
            PredictedField(
                field: RecordField(name, .single(.string), options: options(of: .string)),
                role: .link,
                evidence: .documented,
                element: SystemNames.links,
                source: source
            )
        }
        return PredictedRecordType(name: SystemNames.links, fields: fields, source: source)
    }

    /// Reports names that CloudKit does not allow, or that differ only in case.
    private mutating func reportNames() {
        var typeNames: [String: String] = [:]
        for type in recordTypes {
            reportName(type.name, type.entity ?? type.name, type.source, &typeNames)
            var fieldNames: [String: String] = [:]
            for field in type.fields where field.role == .property {
                reportName(field.field.name, field.element, field.source, &fieldNames)
            }
        }
    }

    private mutating func reportName(
        _ name: String,
        _ element: String,
        _ source: SourceMark,
        _ names: inout [String: String]
    ) {
        if !isPlainName(name) {
            let message = "rename '\(element)': CloudKit takes ASCII letters, digits and '_' only"
            report(.fieldName, .error, message, element, source)
        }
        let other = names.updateValue(name, forKey: name.lowercased())
        if let other {
            let message = "rename '\(element)': '\(name)' and '\(other)' differ only in case"
            report(.fieldName, .warning, message, element, source)
        }
    }

    private mutating func unproven(_ text: String, _ element: String, _ source: SourceMark) {
        let message = "no published schema confirms \(text)"
        report(.unproven, .note, message, element, source)
    }

    private mutating func report(
        _ rule: RuleID,
        _ severity: Severity,
        _ message: String,
        _ element: String,
        _ source: SourceMark,
        _ notes: [Diagnostic.Note] = []
    ) {
        diagnostics.report(
            rule,
            message,
            severity: severity,
            at: source.location(of: "name"),
            element: element,
            notes: notes
        )
    }
}

private struct FieldList {
    private(set) var list: [PredictedField] = []
    private var places: [String: Int] = [:]

    init(_ root: Entity) {
        _ = add(
            PredictedField(
                field: RecordField(
                    SystemNames.entityName,
                    .single(.string),
                    options: options(of: .string)
                ),
                role: .entityName,
                evidence: .seen,
                element: root.name,
                source: nameMark(root.source)
            )
        )
    }

    mutating func add(_ field: PredictedField) -> PredictedField? {
        if let place = places[field.field.name] { return list[place] }
        places[field.field.name] = list.count
        list.append(field)
        return nil
    }

    /// Adds the companion of a field, or returns an existing property of its name.
    mutating func addCompanion(of field: PredictedField) -> PredictedField? {
        let name = SystemNames.companion(of: field.field.name)
        var companion = field
        companion.field = RecordField(name, .single(.asset))
        companion.role = .companion(of: field.field.name)
        return add(companion).flatMap { $0.role == .property ? $0 : nil }
    }

    /// Adds the fields of moves, or returns existing properties of their names.
    mutating func addReceipt(of root: Entity) -> [PredictedField] {
        let receipt = PredictedField(
            field: RecordField(SystemNames.receipt, .single(.bytes), options: options(of: .bytes)),
            role: .receipt,
            evidence: .seen,
            element: root.name,
            source: nameMark(root.source)
        )
        return [add(receipt), addCompanion(of: receipt)].compactMap(\.self)
    }
}

/// The mark of an element whose location is that of its name.
private func nameMark(_ source: SourceMark) -> SourceMark {
    source.location(of: "name").map { SourceMark($0) } ?? source
}
