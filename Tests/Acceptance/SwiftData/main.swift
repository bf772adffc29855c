import CoreData
import SwiftData

// Prints the version hash of each entity that SwiftData makes of the classes of the file that is built with this one.
let model = NSManagedObjectModel.makeManagedObjectModel(for: models)
for (name, hash) in model?.entityVersionHashesByName.sorted(by: { $0.key < $1.key }) ?? [] {
    print(name, hash.map { String(format: "%02x", $0) }.joined())
}
