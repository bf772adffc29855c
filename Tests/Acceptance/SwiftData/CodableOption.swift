import Foundation
import SwiftData

struct Settings: Codable { var size = 1 }

// Encoded: .codable is Transformable; with a third hash, neither that nor Binary.
@Model final class Encoded {
    @Attribute(.codable) var settings: Settings = Settings()
    init() {}
}

let models: [any PersistentModel.Type] = [Encoded.self]
