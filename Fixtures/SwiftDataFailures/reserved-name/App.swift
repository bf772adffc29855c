import Foundation
import SwiftData

@Model final class Item {
    var description: String = ""
    init() {}
}
