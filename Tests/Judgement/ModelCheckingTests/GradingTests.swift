import Diagnostics
import Foundation
import ModelChecking
import ModelLoading
import ObjectModel
import TestSupport
import Testing

private func versions(
    _ bodies: [(name: String, body: String)],
    current: String? = nil
) -> [ModelVersion] {
    bodies.map { name, body in
        let model = readModel(contents: Data("<model>\n\(body)\n</model>".utf8), path: name)
        let isCurrent = name == current ?? bodies.last?.name
        return ModelVersion(name: name, path: name, isCurrent: isCurrent, model: model.value)
    }
}

private let text = "<attribute name='a' optional='YES' attributeType='String'/>"
private let number = "<attribute name='a' optional='YES' attributeType='Date'/>"
private let reserved = "<attribute name='hash' optional='YES' attributeType='String'/>"

private func entity(_ body: String) -> String { "<entity name='E'>\(body)</entity>" }

private func severities(_ findings: [Finding], of rule: RuleID) -> [String] {
    findings.filter { $0.diagnostic.rule == rule }
        .map { "\($0.version ?? "-") \($0.diagnostic.severity)" }
}

struct GradingTests {
    private let all = CheckOptions(scope: .all)

    @Test func `what shipped is not told to change`() {
        let list = versions([("M 1", entity(reserved)), ("M 2", entity(reserved + text))])
        let rule: RuleID = "reserved-property-name"
        let found = check(list, path: "M.xcdatamodeld", options: all)
        #expect(severities(found, of: rule) == ["M 1 note", "M 2 warning"])
        let lock = ModelLock(versions: list.map { ModelLock.Version($0) })
        let locked = check(
            list,
            path: "M.xcdatamodeld",
            lock: LocatedLock(lock, path: "M.lock"),
            options: all
        )
        #expect(severities(locked, of: rule) == ["M 1 note", "M 2 note"])
        let other = versions([("Old 3", entity(reserved)), ("M 2", entity(text))], current: "M 2")
        // Where names tell no order, a version that is not current counts as old.
        let turned = check(other.reversed(), path: "M.xcdatamodeld", options: all)
        #expect(severities(turned, of: rule) == ["Old 3 note"])
        let open = LocatedLock(ModelLock(versions: [lock.versions[1]]), path: "M.lock")
        let unlocked = check(list, path: "M.xcdatamodeld", lock: open, options: all)
        #expect(severities(unlocked, of: rule) == ["M 1 warning", "M 2 note"])
    }

    @Test(arguments: [
        ("UUID().uuidString", 1), ("Date().addingTimeInterval(60)", 1), ("\"n-\\(UUID())\"", 1),
        ("Int.random(in: 0..<9)", 1), ("Defaults.id", 0), ("UUID.zero.uuidString", 0),
        ("\"Date() \\(\"x\")\"", 0), ("\"a \\(f(\"Date()\")) \\(g(UUID())) b\"", 1),
        ("\"\\\"\\\\\\(n) UUID()\"", 0), ("\"a\" + Date().description", 1),
    ])
    func `a default that is made of a moment is the same for all rows`(text: String, count: Int) {
        var added = Attribute("b", .string, isOptional: false)
        added.unstatedDefault = .expression(text)
        let models = [[Attribute("a", .string)], [Attribute("a", .string), added]]
        let list = models.enumerated().map { number, attributes in
            ModelVersion(
                name: "M \(number + 1)",
                path: "M",
                isCurrent: number == 1,
                model: ManagedObjectModel([Entity("E", attributes)])
            )
        }
        let found = check(list, path: "M.xcdatamodeld", options: all)
        #expect(severities(found, of: "one-default-for-all").count == count)
    }

    @Test(arguments: [
        ("a", "b", "a", "b", "M 2 note"), ("b", "a", "b", "a", "M 2 warning"),
        ("b", "a", "a", "b", "M 2 warning"), ("old", "b", "a", "b", "M 2 warning"),
    ])
    func `equal versions whose values go to different properties are no mere note`(
        _ a: String,
        _ b: String,
        _ nextA: String,
        _ nextB: String,
        _ expected: String
    ) {
        func body(_ a: String, _ b: String, _ rest: String = "") -> String {
            entity(
                zip(["a", "b"], [a, b]).map { name, identifier in
                    let own = identifier == name ? "" : "elementID='\(identifier)' "
                    return "<attribute name='\(name)' \(own)optional='YES' attributeType='String'/>"
                }.joined() + rest
            )
        }
        let more = "<attribute name='c' optional='YES' attributeType='String'/>"
        let list = versions([
            ("M 1", body("a", "b")), ("M 2", body(a, b)), ("M 3", body(nextA, nextB, more)),
        ])
        let found = check(list, path: "M.xcdatamodeld", options: all)
        #expect(severities(found, of: "equal-checksums") == [expected])
        let lock = LocatedLock(ModelLock(versions: list.map { .init($0) }), path: "M.lock")
        let shipped = check(list, path: "M.xcdatamodeld", lock: lock, options: all)
        #expect(severities(shipped, of: "equal-checksums") == [expected])
    }

    @Test func `a step that Core Data does not infer is an error, also when its version shipped`() {
        let list = versions([("M 1", entity(text)), ("M 2", entity(number)), ("M 3", entity(text))])
        let rule: RuleID = "step-not-inferable"
        #expect(severities(check(list, path: "M"), of: rule) == ["M 3 error"])
        let lock = ModelLock(versions: list.map { ModelLock.Version($0) })
        let locked = check(list, path: "M", lock: LocatedLock(lock, path: "M.lock"), options: all)
        // Nobody takes the step between two shipped versions any more.
        #expect(severities(locked, of: rule) == ["M 2 note", "M 3 error"])
    }

    @Test func `nothing is compared with a version that cannot be read`() {
        var list = versions([("M 1", entity(text)), ("M 2", ""), ("M 3", entity(text + reserved))])
        let lock = LocatedLock(ModelLock(versions: list.map { ModelLock.Version($0) }), path: "L")
        for rule in ["malformed-xml", "merge-conflict"] as [RuleID] {
            let fault = Diagnostic(
                rule,
                "unread",
                at: FileLocation(path: "M 2", line: 3)
            )
            for current in list.indices {
                for index in list.indices { list[index].isCurrent = index == current }
                let found = check(list, path: "M", reading: [fault], lock: lock, options: all)
                    .filter { $0.diagnostic.severity > .note || $0.diagnostic.rule == rule }
                #expect(found.map(\.diagnostic.rule) == [rule], "\(found)")
                let isError = found.first?.diagnostic.severity == .error
                #expect(isError)
            }
        }
    }

    @Test func `entities that share a class are one line, and a capital is a note`() {
        let body = (1...13).map { number in
            "<entity name='E\(number)' representedClassName='Thing'>"
                + "<attribute name='A\(number)' optional='YES' attributeType='String'/></entity>"
        }
        let found = check(versions([("M", body.joined())]), path: "M.xcdatamodel")
        let shared = found.filter { $0.diagnostic.rule == "shared-class-name" }
        #expect(shared.count == 1)
        #expect(shared.first?.diagnostic.message.contains("13 entities") == true)
        #expect(shared.first?.diagnostic.message.contains("'E1', 'E2'") == true)
        let capitals = severities(found, of: "property-name-case")
        #expect(capitals == Array(repeating: "M note", count: 13))
    }

    @Test func `a mapping model answers what inference would do`() {
        let list = versions([("M 1", entity(text)), ("M 2", entity(number))])
        var asked: [String] = []
        let found = check(
            list,
            path: "M",
            mappingModel: { from, to in
                asked.append("\(from.name) → \(to.name)")
                return "One.xcmappingmodel"
            }
        )
        #expect(asked == ["M 1 → M 2"])
        #expect(severities(found, of: "step-not-inferable").isEmpty)
        let same = versions([("M 1", entity(text)), ("M 2", entity(text + reserved))])
        _ = check(
            same,
            path: "M",
            mappingModel: { _, _ in
                Issue.record("nothing is to be answered")
                return nil
            }
        )
    }

    @Test func `a literal renaming identifier is an error where nothing else names the old name`() {
        let lost =
            "<attribute name='a' optional='YES' attributeType='String' renamingIdentifier='b'/>"
        let kept =
            "<attribute name='a' optional='YES' attributeType='String' elementID='b' renamingIdentifier='b'/>"
        let rule: RuleID = "literal-renaming-identifier"
        #expect(
            severities(check(versions([("M", entity(lost))]), path: "M"), of: rule) == ["M error"]
        )
        #expect(
            severities(check(versions([("M", entity(kept))]), path: "M"), of: rule) == ["M note"]
        )
    }

    @Test(arguments: [
        ("", "valueTransformerName='NSSecureUnarchiveFromData'", 0),
        ("valueTransformerName='NSKeyedUnarchiveFromData'", "", 0),
        ("", "valueTransformerName='Own'", 1), ("valueTransformerName='Own'", "", 1),
        ("", "valueTransformerName='NSSecureUnarchiveFromData' customClassName='Mark'", 1),
        ("", "valueTransformerName='NSSecureUnarchiveFromData' customClassName='NSArray'", 0),
        (
            "customClassName='Mark'",
            "valueTransformerName='NSSecureUnarchiveFromData' versionHashModifier='2' customClassName='Mark'",
            1
        ),
        (
            "valueTransformerName='NSSecureUnarchiveFromData' customClassName='Mark'",
            "valueTransformerName='NSSecureUnarchiveFromDataTransformerName' customClassName='Mark'",
            0
        ),
    ])
    func `the secure transformer reads what was written without one`(
        _ old: String,
        _ new: String,
        _ count: Int
    ) {
        let bodies = [old, new].map {
            entity("<attribute name='t' optional='YES' attributeType='Transformable' \($0)/>")
        }
        let found = check(versions([("M 1", bodies[0]), ("M 2", bodies[1])]), path: "M")
        #expect(severities(found, of: "silent-transformer-change").count == count)
    }

    /// Foundation's transformers by each of their names, none at all, and an app's own.
    @Test(arguments: [
        ("", 1), ("NSKeyedUnarchiveFromData", 1), ("NSKeyedUnarchiveFromDataTransformerName", 1),
        ("NSUnarchiveFromData", 1), ("NSUnarchiveFromDataTransformerName", 1), ("Own", 0),
        ("NSSecureUnarchiveFromData", 0), ("NSSecureUnarchiveFromDataTransformerName", 0),
    ])
    func `a transformer that unarchives any class is insecure`(_ name: String, _ count: Int) {
        let setting = name.isEmpty ? "" : "valueTransformerName='\(name)'"
        let body = "<attribute name='t' optional='YES' attributeType='Transformable' \(setting)/>"
        let found = check(versions([("M", entity(body))]), path: "M")
        #expect(severities(found, of: "insecure-transformer").count == count)
    }

    @Test func `equal versions are told apart only before they ship`() {
        let list = [("M 1", entity(text)), ("M 2", entity(text)), ("M 3", entity(text + reserved))]
        let rule: RuleID = "equal-checksums"
        let shipped = check(versions(list), path: "M")
        #expect(severities(shipped, of: rule) == ["M 2 note"])
        let open = check(versions(Array(list.prefix(2))), path: "M")
        #expect(severities(open, of: rule) == ["M 2 warning"])
    }

    @Test func `no version is called the last one where names tell no order`() {
        let bodies = [("Old 1", entity(text)), ("Other", entity(number))]
        let rule: RuleID = "current-version-not-last"
        let unknown = check(versions(bodies, current: "Old 1"), path: "M.xcdatamodeld")
        #expect(severities(unknown, of: rule).isEmpty)
        let stated = check(versions(bodies, current: "Old 1"), path: "M", order: bodies.map(\.0))
        #expect(severities(stated, of: rule) == ["Old 1 warning"])
        let known = [("M 1", entity(text)), ("M 2", entity(text + reserved))]
        let found = check(versions(known, current: "M 1"), path: "M.xcdatamodeld")
        #expect(severities(found, of: rule) == ["M 1 warning"])
    }

    @Test func `equal notes of several versions are one`() {
        let lonely = "<relationship name='r' maxCount='1' optional='YES' destinationEntity='E'/>"
        let names = ["M 1", "M 2", "M 3", "M 4", "M 5"]
        let bodies = names.enumerated().map { place, name in
            (name, entity(lonely + String(repeating: " ", count: place)))
        }
        let found = check(versions(bodies), path: "M", options: all)
            .filter { $0.diagnostic.rule == "missing-inverse" }
        #expect(found.count == 5)
        let one = merged(found)
        #expect(one.map(\.version) == ["M 5"])
        let note = one.first?.diagnostic.notes.last?.message ?? ""
        #expect(names.dropLast() == names.filter { note.contains("'\($0)'") }, "\(note)")
        #expect(merged([found[0]]) == [found[0]])
    }
}

extension GradingTests {
    @Test func `CloudKit refuses a locked version of an app that mirrors its container now`() {
        let contents = entity("<attribute name='a' attributeType='String'/>")
        let text = "<model usedWithCloudKit='YES'>\(contents)</model>"
        let model = readModel(contents: Data(text.utf8), path: "M 1").value
        let list = [ModelVersion(name: "M 1", path: "M 1", isCurrent: true, model: model)]
        let lock = LocatedLock(ModelLock(versions: list.map { .init($0) }), path: "M.lock")
        for (isMirrored, severity) in [(true, "error"), (false, "note")] {
            let found = check(list, path: "M", lock: lock, isMirroredByApp: isMirrored)
            #expect(severities(found, of: "cloudkit-mandatory-attribute") == ["M 1 \(severity)"])
        }
    }

    @Test func `an entry of losses has no demand on rows`() {
        let new = "<attribute name='title' attributeType='String'/>"
        let old =
            "<attribute name='titel' attributeType='String'/>" + number
            + text.replacing("'a'", with: "'b'")
        let list = versions([("M 1", entity(old)), ("M 2", entity(new))])
        let found = check(list, path: "M")
        #expect(found.flatMap(\.unnamedLosses).contains("E.title"))
        let names = lossesEntry(for: found).last?.split { !$0.isLetter && $0 != "." } ?? []
        #expect(names.contains("E.titel") && !names.contains("E.title"))
    }
}
