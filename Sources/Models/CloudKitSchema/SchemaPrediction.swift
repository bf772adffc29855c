package import Diagnostics
package import ObjectModel

/// What mirroring makes of a model: the record types and fields that it writes.
package struct SchemaPrediction: Sendable {
    /// How much is in a schema.
    package enum Extent: Sendable, Hashable {
        /// Everything that mirroring may ever write, as `initializeCloudKitSchema` leaves it.
        case full
        /// What the first small records make: no companions and no receipts.
        case minimal
    }

    /// The record types, in the order of the model.
    package var recordTypes: [PredictedRecordType]
    /// What of the model cannot be mirrored, and what is not proven by any published schema.
    package var diagnostics: [Diagnostic]
    /// What is not predicted, because it is not understood.
    package var unknown: UnknownParts

    /// Returns the schema as CloudKit would hold it in Development.
    package func schema(_ extent: Extent = .full) -> RecordSchema {
        RecordSchema(
            recordTypes: recordTypes.map { type in
                let fields = type.fields.filter { field in
                    guard field.evidence != .unknown else { return false }
                    return extent == .full || !field.role.isExtra
                }
                return RecordType(
                    type.name,
                    fields: fields.map(\.located) + SystemNames.fields,
                    source: type.source
                )
            }
        )
    }
}

/// A record type that mirroring makes.
package struct PredictedRecordType: Sendable, Hashable {
    /// The name, such as `CD_Person`.
    package var name: String
    /// The root entity; `nil` for the type that holds the links of many-to-many relationships.
    package var entity: String?
    /// The fields, each once, without those of the server.
    package var fields: [PredictedField]
    /// Where the entity, or the first many-to-many relationship, stands.
    package var source: SourceMark
}

/// A field that mirroring makes.
package struct PredictedField: Sendable, Hashable {
    /// What a field is there for.
    package enum Role: Sendable, Hashable {
        /// It holds the name of the entity.
        case entityName
        /// It holds the values of a property.
        case property
        /// It takes values that are too large for the field of this name.
        case companion(of: String)
        /// It holds how a record came into its zone.
        case receipt
        /// It is one of the three of many-to-many links.
        case link

        /// Whether first small records do without it.
        var isExtra: Bool {
            switch self {
            case .companion, .receipt: true
            case .entityName, .property, .link: false
            }
        }
    }

    /// What says that the field is so.
    package enum Evidence: Sendable, Hashable {
        /// Published schemas have such fields.
        case seen
        /// Apple's text says so; no published schema has one.
        case documented
        /// Nothing says whether there is such a field.
        case unknown
    }

    package var field: RecordField
    /// What it is there for.
    package var role: Role
    /// What says that it is so.
    package var evidence: Evidence
    /// The element of the model, such as `Person` or `Person.name`.
    package var element: String
    /// Where the element stands.
    package var source: SourceMark

    /// The field at the place of the element.
    fileprivate var located: RecordField {
        var field = field
        field.source = source
        return field
    }
}

/// Which entities of a model are mirrored.
package struct MirroredEntities: Sendable {
    /// The names; `nil` when all are.
    package var names: Set<String>?

    /// Finds the entities of a configuration.
    ///
    /// Without a name they are those of the configurations that are marked for CloudKit, else all.
    ///
    /// - Returns: `nil` when the model has no configuration of the name.
    package init?(of model: ManagedObjectModel, configuration: String? = nil) {
        if let configuration {
            let named = model.configurations.filter { $0.name == configuration }
            guard !named.isEmpty else { return nil }
            names = Set(named.flatMap(\.memberEntities))
            return
        }
        let flag = model.documentSettings["usedWithCloudKit"]?.lowercased()
        let marked = model.configurations.filter(\.isUsedWithCloudKit)
        let isWhole = ["yes", "true", "1"].contains(flag) || marked.isEmpty
        names = isWhole ? nil : Set(marked.flatMap(\.memberEntities))
    }

    /// Says whether an entity is mirrored.
    package func contains(_ entity: String) -> Bool { names?.contains(entity) ?? true }
}

/// Predicts the schema that mirroring makes of a model.
///
/// - Parameters:
///   - model: the model.
///   - mirrored: which of its entities are mirrored.
/// - Returns: the record types with their fields, and what is to be said about them.
package func predictSchema(
    of model: ManagedObjectModel,
    mirroring mirrored: MirroredEntities
) -> SchemaPrediction {
    var predictor = SchemaPredictor(model: model, mirrored: mirrored)
    predictor.predict()
    return SchemaPrediction(
        recordTypes: predictor.recordTypes,
        diagnostics: predictor.diagnostics,
        unknown: UnknownParts(of: model, mirroring: mirrored)
    )
}
