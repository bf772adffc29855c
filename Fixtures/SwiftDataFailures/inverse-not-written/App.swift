import Foundation
import SwiftData

@Model final class Item {
    @Relationship var folder: Folder?
    init() {}
}
@Model final class Folder {
    @Relationship var items: [Item] = []
    init() {}
}
