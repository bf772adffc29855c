import SwiftDataReading
import Testing

@Suite(.enabled(if: readsSwiftSources))
struct SwiftSourceTests {
    private func source(_ text: String) -> SwiftSource {
        SwiftSource(path: "A.swift", bytes: Array(text.utf8))
    }

    @Test(arguments: [
        ("@Model\nclass A {}", true), ("@available(iOS 17, *) @Model final class A {}", true),
        ("@MainActor @Model public final class A {}", true), ("@SwiftData.Model class A {}", true),
        ("extension V1 { @Model final class A {} }", true),
        ("@Model // of a note\n@objc(A) final class A {}", true),
        ("/* later:\n@Model\nclass A {}\n*/", false), ("// @Model class A {}", false),
        ("let a = \"\"\"\n@Model\nclass A {}\n\"\"\"", false),
        ("@Model\nstruct A {}\nclass B {}", false), ("@ModelActor actor A {}", false),
        ("@ORM.Model class A {}", false), ("final class A: Model {}", false),
    ])
    func `a class of SwiftData is declared in code by its macro`(text: String, isModel: Bool) {
        #expect(source(text).declaresModels == isModel)
    }

    @Test(arguments: [
        ("import XCTest\n", true), ("@testable import Testing", true),
        ("#if canImport(XCTest)\nimport XCTest\n#endif", true),
        ("import XCTestDynamicOverlay\n", false), ("import TestingKit", false),
        ("// may import XCTest\nimport SwiftData", false),
        ("/// `import Testing` is for tests.\n", false), ("let a = \"import XCTest\"", false),
    ])
    func `only a whole import makes a file one of tests`(text: String, isTest: Bool) {
        #expect(source(text).importsTests == isTest)
    }
}
