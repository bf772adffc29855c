import Foundation
import SwiftData

@Model final class Item {
    @Attribute(.unique) var name: String = ""
    init() {}
}

@main struct ShopApp {
    let container = try? ModelContainer(
        for: Item.self,
        configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.shop"))
    )
}
