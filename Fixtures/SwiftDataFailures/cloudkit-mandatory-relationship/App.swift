import Foundation
import SwiftData

@Model final class Item {
    var name: String = ""
    @Relationship(inverse: \Folder.items) var folder: Folder
    init(folder: Folder) { self.folder = folder }
}
@Model final class Folder {
    var items: [Item]? = []
    init() {}
}

@main struct ShopApp {
    let container = try? ModelContainer(
        for: Item.self,
        configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.shop"))
    )
}
