package import Diagnostics
package import ObjectModel

/// The record types and fields that mirroring writes for a model.
package struct SchemaPrediction: Sendable {
    package enum Extent: Sendable, Hashable {
        /// Everything that mirroring may ever write, as after `initializeCloudKitSchema`.
        case full
        /// What the first small records make: no companions and no receipts.
        case minimal
    }

    package var recordTypes: [PredictedRecordType]
    /// What in the model cannot be mirrored, and what no published schema proves.
    package var diagnostics: [Diagnostic]
    /// The unpredictable parts of a model that is not fully understood.
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

package struct PredictedRecordType: Sendable, Hashable {
    /// The name, such as `CD_Person`.
    package var name: String
    /// The root entity; `nil` for the type that holds the links of many-to-many relationships.
    package var entity: String?
    /// The fields, each once, without those of the server.
    package var fields: [PredictedField]
    /// The position of the entity, or of the first many-to-many relationship.
    package var source: SourceMark
}

package struct PredictedField: Sendable, Hashable {
    package enum Role: Sendable, Hashable {
        case entityName
        case property
        /// It takes values that are too large for the field of this name.
        case companion(of: String)
        /// It holds how a record came into its zone.
        case receipt
        /// It is one of the three of many-to-many links.
        case link

        /// Whether first small records lack it.
        var isExtra: Bool {
            switch self {
            case .companion, .receipt: true
            case .entityName, .property, .link: false
            }
        }
    }

    /// The evidence that there is such a field.
    package enum Evidence: Sendable, Hashable {
        case seen
        /// Apple's text says so; no published schema has one.
        case documented
        case unknown
    }

    package var field: RecordField
    package var role: Role
    package var evidence: Evidence
    /// The element of the model, such as `Person` or `Person.name`.
    package var element: String
    package var source: SourceMark

    fileprivate var located: RecordField {
        var field = field
        field.source = source
        return field
    }
}

package struct MirroredEntities: Sendable {
    /// The names; `nil` when all are.
    package var names: Set<String>?

    /// Finds the entities of a configuration; `nil` when the model has none of the name.
    ///
    /// Without a name, uses the configurations marked for CloudKit, or all entities.
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

    package func contains(_ entity: String) -> Bool { names?.contains(entity) ?? true }
}

/// Predicts the schema that mirroring creates for a model.
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
