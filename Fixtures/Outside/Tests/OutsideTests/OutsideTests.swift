import MomtoolTesting
import Testing

@Test func `members become patrons`() throws {
    try expectMigration(
        of: "Shop.xcdatamodeld", from: "V1",
        rows: #"{"Member": [{"@id": "p1", "name": "Ada"}]}"#,
        contains: #"{"Patron": [{"@id": "p1", "fullName": "Ada"}]}"#
    )
}
