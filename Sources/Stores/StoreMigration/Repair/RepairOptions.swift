package import Diagnostics
package import ObjectModel

/// What a repair may do beyond restoring what the store itself still knows.
package struct RepairOptions: Sendable, Hashable {
    /// Values for attributes that lack a required one, or have one of another type; named as `Book.title`.
    package var values: [String: AttributeValue]
    /// The optional attributes whose values of another type become nil; named as `Book.pages`.
    package var clearedValues: Set<String>
    /// Whether values of another type are converted where that loses nothing, such as the text `12` in an Integer 16.
    package var convertsValues: Bool
    package var clearsLinks: Bool
    package var allowsDataLoss: Bool
    /// The entities whose objects go if nothing owns them any more, with what they own.
    package var ownerlessEntities: Set<String>
    /// The date before which persistent history is removed, in seconds since 2001-01-01; `nil` keeps all of it.
    package var historyStart: Double?
    /// Whether the model is the one that the store carries, so that what differs from it is damage.
    package var isOwnModel = false

    package init(
        values: [String: AttributeValue] = [:],
        clearedValues: Set<String> = [],
        convertsValues: Bool = false,
        clearsLinks: Bool = false,
        allowsDataLoss: Bool = false,
        ownerlessEntities: Set<String> = [],
        historyStart: Double? = nil
    ) {
        self.values = values
        self.clearedValues = clearedValues
        self.convertsValues = convertsValues
        self.clearsLinks = clearsLinks
        self.allowsDataLoss = allowsDataLoss
        self.ownerlessEntities = ownerlessEntities
        self.historyStart = historyStart
    }

    /// Returns the options with decisions that require no names.
    package func deciding(_ advice: [Advice]) -> RepairOptions {
        advice.reduce(into: self) { options, advice in
            switch advice {
            case .clearLinks: options.clearsLinks = true
            case .convertValues: options.convertsValues = true
            case .createEmptyTables: options.allowsDataLoss = true
            case .clearValues(let name): options.clearedValues.insert(name)
            case .dropOwnerless(let entity): options.ownerlessEntities.insert(entity)
            default: break
            }
        }
    }

    /// Whether they may leave faults that more restrictive options do not: empty tables, and links to removed objects.
    func asksFurther(than other: RepairOptions) -> Bool {
        allowsDataLoss != other.allowsDataLoss || ownerlessEntities != other.ownerlessEntities
    }
}
