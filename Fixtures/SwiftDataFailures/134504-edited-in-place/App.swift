import Foundation
import SwiftData

@Model final class Item {
    var name: String = ""
    var note: String?
    init() {}
}
