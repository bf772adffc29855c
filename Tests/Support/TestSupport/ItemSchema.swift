package func itemSchema(_ version: Int, _ properties: String) -> String {
    """
    enum V\(version): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(version), 0, 0)
        static var models: [any PersistentModel.Type] { [Item.self] }
        @Model class Item {
            var name: String = ""
            \(properties)
            init() { fatalError() }
        }
    }

    """
}
