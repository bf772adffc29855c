import Foundation
import SwiftData

@Model final class Item {
    var folder: Folder?
    init() {}
}
@Model final class Folder {
    var items: [Item] = []
    init() {}
}
