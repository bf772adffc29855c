@Model final class T {
    var a: Int = 1
    var b: [String
