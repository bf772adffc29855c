import Foundation
import SwiftData

enum Payload: Codable { case number(Int), text(String) }
enum Short: Int16, Codable { case one }
struct Inner: Codable { var number = 1 }
struct Outer: Codable { var inner: Inner? }

// WithPayload: an enum with associated values is not Binary.
@Model final class WithPayload {
    var value: Payload = Payload.number(1)
    init() {}
}

// WithShort: an enum with a raw value of Int16 is not Integer 16.
@Model final class WithShort {
    var value: Short = Short.one
    init() {}
}

// WithEnums: an array or a dictionary of enums has another form than one of structs.
@Model final class WithEnums {
    var list: [Short] = []
    var table: [String: Short] = [:]
    init() {}
}

// WithOptionalStruct: the values of an optional struct in a struct that is not optional are mandatory.
@Model final class WithOptionalStruct {
    var outer: Outer = Outer()
    init() {}
}

// WithUnsigned: UInt is not Integer 64, or CGFloat is not Double.
@Model final class WithUnsigned {
    var number: UInt = 0
    var width: CGFloat = 0
    init() {}
}

let models: [any PersistentModel.Type] = [
    WithPayload.self, WithShort.self, WithEnums.self, WithOptionalStruct.self, WithUnsigned.self,
]
