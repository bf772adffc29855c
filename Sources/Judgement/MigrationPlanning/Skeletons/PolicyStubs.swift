import Diagnostics

/// A source file of a migration policy.
package struct PolicySource: Sendable, Hashable {
    /// The name of the file, such as `BookV7ToV8Policy.swift`.
    package var name: String
    /// The text.
    package var text: String
}

/// The languages that stubs of migration policies are written in.
package enum PolicyLanguage: String, Sendable, Hashable, CaseIterable {
    /// Swift.
    case swift
    /// Objective-C: a header and an implementation.
    case objectiveC = "objective-c"
}

extension MappingSkeleton {
    /// Writes a class for each policy that the mapping names, with a method for each open question.
    ///
    /// The methods stop the app when they are called, with the question as text, so that none is forgotten.
    package func policySources(language: PolicyLanguage) -> [PolicySource] {
        let answered = questions.filter { $0.method != nil }
        var classes: [String] = []
        for question in answered {
            if let name = question.method?.className, !classes.contains(name) {
                classes.append(name)
            }
        }
        return classes.flatMap { name in
            let own = answered.filter { $0.method?.className == name }
            return language == .swift ? [swift(name, own)] : objectiveC(name, own)
        }
    }
}

private func swift(_ name: String, _ questions: [MappingSkeleton.Question]) -> PolicySource {
    let methods = questions.compactMap { question in
        question.method.map { method in
            """

                /// \(oneLine(question.text)).
                @objc(\(method.selector))
                func \(functionName(method))(from source: NSManagedObject, manager: NSMigrationManager) -> Any? {
                    NSException(name: .internalInconsistencyException, reason: "\(literal(question.text))").raise()
                    return nil
                }

            """
        }
    }
    let text = """
        import CoreData

        @objc(\(name))
        final class \(name): NSEntityMigrationPolicy {\(methods.joined())}

        """
    return PolicySource(name: "\(name).swift", text: text)
}

private func objectiveC(
    _ name: String,
    _ questions: [MappingSkeleton.Question]
) -> [PolicySource] {
    let header = """
        #import <CoreData/CoreData.h>

        @interface \(name) : NSEntityMigrationPolicy
        @end

        """
    let methods = questions.compactMap { question in
        question.method.map { method in
            """

            // \(oneLine(question.text)).
            - (id)\(functionName(method))From:(NSManagedObject *)source manager:(NSMigrationManager *)manager {
                [NSException raise:NSInternalInconsistencyException format:@"%@", @"\(literal(question.text))"];
                return nil;
            }

            """
        }
    }
    let body = """
        #import "\(name).h"

        @implementation \(name)
        \(methods.joined())
        @end

        """
    return [
        PolicySource(name: "\(name).h", text: header),
        PolicySource(name: "\(name).m", text: body),
    ]
}

private func functionName(_ method: MappingSkeleton.PolicyMethod) -> String {
    String(method.selector.prefix { $0 != ":" }.dropLast("From".count))
}

private func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
}

/// The text between the quotes of a string literal, the same in both languages.
private func literal(_ text: String) -> String {
    oneLine(text).backslashed
}
