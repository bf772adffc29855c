import Foundation
import SwiftData

enum Mood: String, Codable {
    case good, fair, bad
}

@Model final class Item {
    var name: String = ""
    var mood: Mood = Mood.good
    init() {}
}
