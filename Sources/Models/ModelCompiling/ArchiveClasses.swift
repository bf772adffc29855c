package import PropertyLists

/// The classes of compiled models, with the superclasses that archives record (CompiledModels, "Archives").
extension KeyedArchive.ClassRecord {
    static let model = Self("NSManagedObjectModel")
    static let entity = Self("NSEntityDescription")
    static let attribute = Self("NSAttributeDescription", "NSPropertyDescription")
    static let derivedAttribute = Self(
        "NSDerivedAttributeDescription",
        "NSAttributeDescription",
        "NSPropertyDescription"
    )
    static let compositeAttribute = Self(
        "NSCompositeAttributeDescription",
        "NSAttributeDescription",
        "NSPropertyDescription"
    )
    static let relationship = Self("NSRelationshipDescription", "NSPropertyDescription")
    static let fetchedProperty = Self("NSFetchedPropertyDescription", "NSPropertyDescription")
    static let fetchIndex = Self("NSFetchIndexDescription")
    static let fetchIndexElement = Self("NSFetchIndexElementDescription")
    static let fetchRequest = Self("NSFetchRequest", "NSPersistentStoreRequest")

    static let comparisonPredicate = Self("NSComparisonPredicate", "NSPredicate")
    static let compoundPredicate = Self("NSCompoundPredicate", "NSPredicate")
    static let truePredicate = Self("NSTruePredicate", "NSPredicate")
    static let falsePredicate = Self("NSFalsePredicate", "NSPredicate")
    static let comparisonOperator = Self("NSComparisonPredicateOperator", "NSPredicateOperator")
    static let equalityOperator = Self("NSEqualityPredicateOperator", "NSPredicateOperator")
    static let inOperator = Self("NSInPredicateOperator", "NSPredicateOperator")
    static let betweenOperator = Self("NSBetweenPredicateOperator", "NSPredicateOperator")
    static let likeOperator = stringOperator("NSLikePredicateOperator")
    static let matchingOperator = stringOperator("NSMatchingPredicateOperator")
    static let substringOperator = stringOperator("NSSubstringPredicateOperator")

    private static func stringOperator(_ name: String) -> Self {
        Self(name, "NSStringPredicateOperator", "NSPredicateOperator")
    }

    static let selfExpression = Self("NSSelfExpression", "NSExpression")
    static let constantExpression = Self("NSConstantValueExpression", "NSExpression")
    static let variableExpression = Self("NSVariableExpression", "NSExpression")
    static let functionExpression = Self("NSFunctionExpression", "NSExpression")
    static let keyPathSpecifier = Self("NSKeyPathSpecifierExpression", "NSExpression")
    static let keyPathExpression = Self(
        "NSKeyPathExpression",
        "NSFunctionExpression",
        "NSExpression"
    )
    static let aggregateExpression = Self("NSAggregateExpression", "NSExpression")
    static let subqueryExpression = Self("NSSubqueryExpression", "NSExpression")
    static let ternaryExpression = Self("NSTernaryExpression", "NSExpression")
    static let symbolicExpression = Self("NSSymbolicExpression", "NSExpression")

    package static let mutableDictionary = Self("NSMutableDictionary", "NSDictionary")
    static let dictionary = Self("NSDictionary")
    static let mutableArray = Self("NSMutableArray", "NSArray")
    package static let array = Self("NSArray")
    static let set = Self("NSSet")
    static let mutableString = Self("NSMutableString", "NSString")
    static let date = Self("NSDate")
    static let uuid = Self("NSUUID")
    static let url = Self("NSURL")
    static let decimal = Self(
        "NSDecimalNumberPlaceholder",
        "NSDecimalNumber",
        "NSNumber",
        "NSValue"
    )
}
