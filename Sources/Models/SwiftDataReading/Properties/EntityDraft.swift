import Diagnostics
import ObjectModel

/// What a class says about its entity: everything except the inverses, which depend on the version.
struct EntityDraft: Sendable {
    /// An attribute, with its elements when it is a composite.
    struct AttributeDraft: Sendable {
        var attribute: Attribute
        var form: AttributeForm
    }

    /// A relationship, whose inverse the version decides.
    struct RelationshipDraft: Sendable {
        var relationship: Relationship
        /// The class of the destination, by its number.
        var destination: Int
        var isWritten: Bool
        var inverse: String?
        /// Why the written inverse is not used.
        var inverseFault: String?
        var place: Place
    }

    var id: Int
    var name: String
    var attributes: [AttributeDraft] = []
    var relationships: [RelationshipDraft] = []
    var constraints: [UniquenessConstraint] = []
    var indexes: [FetchIndex] = []
    var renamingIdentifier: String?
    /// The class that it inherits from, by its number.
    var parent: Int?
    /// The structs and enums whose shape takes part in the hash, by their numbers.
    var values: Set<Int> = []
    var refused: Set<String> = []
    /// Properties that are not understood and may be relationships.
    var open: [OpenProperty] = []
    /// Why the entity cannot have a hash.
    var refusals: [Remark] = []
    /// What is inferred, without evidence from a store.
    var doubts: [Remark] = []
    /// What is left out without an effect on the hash.
    var omissions: [Remark] = []

    struct OpenProperty: Sendable {
        var name: String
        /// The names of the entities that it may lead to; `nil` for any.
        var destinations: Set<String>?
    }

    /// A remark about an entity or one of its properties.
    struct Remark: Sendable {
        var element: String
        var message: String
        var notes: [Wording] = []
        var place: Place
        /// The stored property of a struct that is at fault.
        var field: Place?
        /// The question whose answer would settle it.
        var question: SwiftQuestion?
        /// Its subject, if one remark covers everything about it.
        var subject: String?
        /// Whether SwiftData itself stops there.
        var isFatal = false
    }
}
