import Foundation
import SQLiteAccess
import StoreFormat

/// Registers what derivation expressions do with text and SQLite cannot.
func registerTextFunctions(on connection: SQLiteConnection) throws(StoreError) {
    try connection.register("momtool_canonical") {
        $0.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
    try connection.register("momtool_uppercase") { $0.uppercased() }
    try connection.register("momtool_lowercase") { $0.lowercased() }
}
