import CodeGeneration
import Diagnostics
import Foundation
import TestSupport
import Testing

struct GeneratedSourceTests {
    private static let swiftShim = """
        @_exported import Foundation
        public protocol NSFetchRequestResult: AnyObject {}
        extension NSDictionary: NSFetchRequestResult {}
        open class NSManagedObject: NSObject, NSFetchRequestResult {}
        open class NSManagedObjectID: NSObject, NSFetchRequestResult {}
        open class NSFetchRequest<Result: NSFetchRequestResult> {
            public init(entityName: String) {}
        }
        open class NSManagedObjectModel {
            open func fetchRequestFromTemplate(
                withName name: String,
                substitutionVariables variables: [String: Any]
            ) -> Any? { nil }
        }
        """

    private static let objectiveCShim = """
        #define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
        #define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
        #define NS_SWIFT_NAME(x)
        typedef unsigned long NSUInteger;
        typedef double NSTimeInterval;
        typedef signed char BOOL;
        typedef short int16_t;
        typedef int int32_t;
        typedef long int64_t;
        __attribute__((objc_root_class)) @interface NSObject
        @end
        @interface NSString : NSObject
        @end
        @interface NSSet<E> : NSObject
        @end
        @interface NSOrderedSet<E> : NSObject
        @end
        @interface NSArray<E> : NSObject
        @end
        @interface NSDictionary : NSObject
        @end
        @interface NSNumber : NSObject
        @end
        @interface NSDecimalNumber : NSNumber
        @end
        @interface NSDate : NSObject
        @end
        @interface NSData : NSObject
        @end
        @interface NSUUID : NSObject
        @end
        @interface NSURL : NSObject
        @end
        @interface NSIndexSet : NSObject
        @end
        @interface NSManagedObject : NSObject
        @end
        @interface NSFetchRequest<E> : NSObject
        + (instancetype)fetchRequestWithEntityName:(NSString *)name;
        @end
        """

    /// Replaces what only Apple's systems have by what the compiler has everywhere: the same names and types.
    private func portable(_ text: String) -> String {
        text.replacing(#/ *@objc\([^\n]*\)\n/#, with: "")
            .replacing("@nonobjc ", with: "")
            .replacing(#/@NSManaged (public var [^\n]*)\n/#) {
                "\($0.output.1) { get { fatalError() } set {} }\n"
            }
            .replacing(#/@NSManaged (public func [^\n]*)\n/#) { "\($0.output.1) {}\n" }
    }

    private func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
        let run = try result(of: URL(fileURLWithPath: "/usr/bin/env"), arguments)
        return (run.status, run.output + run.errors)
    }

    @Test(arguments: [SwiftClassForm.publicImports, .plainImports])
    func `Swift classes parse as they are and compile against Apple's declarations`(
        form: SwiftClassForm
    ) throws {
        try withFolder { (folder) throws in
            var plain: [String] = []
            var portable: [String] = []
            for file in ClassGenerationTests.swift(form).value {
                let path = folder.path + "/" + file.name
                try Data(file.text.utf8).write(to: URL(fileURLWithPath: path))
                plain.append(path)
                let other = folder.path + "/Portable" + file.name
                try Data(self.portable(file.text).utf8).write(to: URL(fileURLWithPath: other))
                portable.append(other)
            }
            let byHand = folder.path + "/Hand.swift"
            try Data("public import CoreData\npublic class PetObject: NSManagedObject {}\n".utf8)
                .write(to: URL(fileURLWithPath: byHand))
            let shim = folder.path + "/CoreData.swift"
            try Data(Self.swiftShim.utf8).write(to: URL(fileURLWithPath: shim))
            let parsed = try run(["swiftc", "-frontend", "-parse"] + plain)
            #expect(parsed.status == 0, "\(parsed.text)")
            let module = try run([
                "swiftc", "-emit-module", "-module-name", "CoreData", "-swift-version", "5",
                "-o", folder.path + "/CoreData.swiftmodule", shim,
            ])
            #expect(module.status == 0, "\(module.text)")
            let checked = try run(
                ["swiftc", "-typecheck", "-swift-version", "5", "-I", folder.path, byHand]
                    + (form == .publicImports
                        ? ["-enable-upcoming-feature", "InternalImportsByDefault"] : [])
                    + portable
            )
            #expect(checked.status == 0, "\(checked.text)")
        }
    }

    @Test func `Objective-C classes compile against Apple's declarations`() throws {
        try withFolder { (folder) throws in
            var sources: [String] = []
            for file in ClassGenerationTests.objectiveC.value {
                let path = folder.path + "/" + file.name
                try Data(file.text.utf8).write(to: URL(fileURLWithPath: path))
                sources.append(path)
            }
            let shims = [
                "CoreData/CoreData.h": "#import <Foundation/Foundation.h>\n",
                "Foundation/Foundation.h": Self.objectiveCShim,
                "PetObject+CoreDataClass.h": """
                #import <CoreData/CoreData.h>
                @class Person;
                @interface PetObject : NSManagedObject
                @end
                #import "PetObject+CoreDataProperties.h"
                """,
            ]
            for (name, text) in shims { try write(text, name, in: folder) }
            for source in sources
            where !source.contains("PetObject") || !source.hasSuffix("Class.h") {
                let checked = try run([
                    "clang", "-fsyntax-only", "-x", "objective-c", "-fobjc-runtime=macosx",
                    "-Wno-nullability-completeness", "-Wno-pragma-once-outside-header",
                    "-I", folder.path, source,
                ])
                #expect(checked.status == 0, "\(source): \(checked.text)")
            }
        }
    }
}
