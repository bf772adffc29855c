import CloudKitSchema
import Diagnosing
import Diagnostics
import Foundation
import LogReading
import ModelChecking
import ModelHashing
import ModelLanguage
import ObjectModel
import ObjectModel
import SettingsFiles

extension FuzzTarget {
    static let predicate = FuzzTarget(
        "predicate",
        "a predicate or an expression in the format language",
        tokens: [
            "(", ")", " AND ", " OR ", "NOT ", "ANY ", "ALL ", "SUBQUERY(", "FUNCTION(", "CAST(",
            "$x", "%@", "BETWEEN {", "IN {", "\"", "'", "\\u", "@count", ".", "[", "]", "-", "**",
            "LIKE[cd] ", "TRUEPREDICATE", "0x", "SELF", "ternary(", "FETCH(", "{", "}", ",",
        ],
        samples: {
            [
                "name == \"Ada\" AND (age > 3 OR NOT friends.@count BETWEEN {1, 5})",
                "SUBQUERY(books, $b, $b.pages > 10).@count > 0", "now()",
                "ANY books.title LIKE[cd] \"*a?\" && SELF IN $list",
                "FUNCTION(now(), \"timeIntervalSinceDate:\", born) > 3",
                "CAST(1.5, 'NSDate') <= $date", "a + b * c ** 2 - sum:(d) / max:({1, 2, 3}) != nil",
            ].map { Data($0.utf8) }
        },
        run: { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let expression = try? PredicateExpression(parsing: text)
            if let expression { _ = try? PredicateExpression(parsing: expression.description) }
            do throws(PredicateSyntaxError) {
                let predicate = try Predicate(parsing: text)
                _ = try? Predicate(parsing: predicate.description)
                return .accepted
            } catch {
                return expression == nil ? .refused("\(error)") : .accepted
            }
        }
    )

    static let stagesFile = FuzzTarget(
        "stages",
        "a stages file",
        tokens: yaml + ["lightweight: [V1, V2]", "custom: {from: V1, to: V2}", "willMigrate: "],
        sample: {
            """
            model: Models/Shop.xcdatamodeld
            stages:
              - lightweight: [V1, {V2: abc=}]
              - custom: {from: V2, to: V3}
                label: Split name
                willMigrate: a.sql
                map: a.map.yml
                didMigrate: b.sql
            """
        },
        read: { readStagesFile($0, path: "stages.yml").diagnostics }
    )

    static let mapFile = FuzzTarget(
        "map",
        "a map of a custom stage",
        tokens: yaml + ["coalesce(", "{find: ", "{split: ", "findOrCreate: [name]", "where: "],
        takes: { $0.hasSuffix(".map.yml") },
        sample: {
            """
            entities:
              - from: Book
                to: Book
                where: pages > 3
                set:
                  title: {split: [$source.title, ' ', 0]}
                  id: uuid()
                  author: {find: {entity: Person, key: name, equals: $source.author}}
              - {from: Person, to: Person, findOrCreate: [name], copyRest: false}
              - delete: Draft
            """
        },
        read: { readStageMap($0, path: "a.map.yml").diagnostics }
    )

    static let configuration = FuzzTarget(
        "configuration",
        "a .momtool.yml",
        tokens: yaml + ["lint:", "rules:", "ignore:", "reason: x", "data-loss: error"],
        takes: { $0.hasSuffix(".momtool.yml") },
        sample: {
            """
            lint:
              rules:
                data-loss: off
              ignore:
                - rule: missing-inverse
                  reason: x

            """
        },
        read: { readConfiguration($0, path: ".momtool.yml").diagnostics }
    )

    static let houseRules = FuzzTarget(
        "house-rules",
        "the rules of a team, on models and on the change between them",
        tokens: yaml + [
            "for: entity", "for: attribute", "for: change", "for: version", "when: \"",
            "message: \"{name}", "parent.", "inverse.", "entity.", "@count", "ANY ", "SUBQUERY(",
            " AND ", "NOT ", "LIKE ", "MATCHES ", "type", "isOptional", "applies: all", "passes:",
            "fails:",
        ],
        samples: {
            [
                """
                rules:
                  - id: acme-no-inline-binary
                    for: attribute
                    when: "type == 'Binary' AND externalStorage == NO"
                    message: "keep '{name}' outside of the store"
                    severity: warning
                    applies: all
                """,
                """
                rules:
                  - {id: a, for: entity, when: "SUBQUERY(attributes, $a, $a.name MATCHES '(a+)+b').@count > 0", message: "{name}"}
                  - {id: b, for: change, when: "TRUEPREDICATE", message: "{element} {verdict}", applies: all}
                """,
            ].map { Data($0.utf8) }
        },
        run: { bytes in
            let read = readConfiguration(
                String(decoding: bytes, as: UTF8.self),
                path: ".momtool.yml"
            )
            var options = read.value.check
            options.scope = .all
            let versions = [
                ModelVersion(name: "V1", model: SampleModel.old),
                ModelVersion(name: "V2", isCurrent: true, model: SampleModel.new),
            ]
            _ = check(versions, path: "M.xcdatamodeld", options: options)
            return verdict(read.diagnostics)
        }
    )

    static let lock = FuzzTarget(
        "lock",
        "a model's lock",
        tokens: ["version ", "entity ", "\n", "  ", "=", "\"", "null"],
        takes: { $0.hasSuffix(".lock") },
        sample: {
            let version = ModelVersion(name: "V1", model: SampleModel.old)
            return ModelLock(versions: [ModelLock.Version(version)]).text
        },
        read: { text in
            let read = ModelLock.parse(text, path: "Model.lock")
            _ = read.value.text
            return read.diagnostics
        }
    )

    static let log = FuzzTarget(
        "log",
        "a log or a pasted message, with doctor's answer",
        tokens: [
            "NSStoreModelVersionHashes", "<00070e15 1c232a31 ... c4cbd2d9>", "Code=134130 ",
            "{length = 32, bytes = 0x00070e15 ... c4cbd2d9 }", "<data>", "</data>", "32 bytes",
            "UNIQUE constraint failed: ", "no such column: ", "=", "…", "\"", "\\/", "entity=",
        ],
        takes: { $0.hasSuffix(".log") },
        samples: {
            let hashes = versionHashes(of: SampleModel.old).entities.sorted { $0.key < $1.key }
            let lines = hashes.map { "    \($0.key) = <\($0.value.hex)>;" }
            let head = "NSCocoaErrorDomain Code=134100 NSStoreModelVersionHashes = {\n"
            return [Data((head + lines.joined(separator: "\n")).utf8)]
        },
        run: { bytes in
            let log = readLog(String(decoding: bytes, as: UTF8.self))
            let versions = [ModelVersion(name: "Old", model: SampleModel.old)]
            let context = ModelContext(
                argument: "M.xcdatamodeld",
                versions: versions,
                current: ModelVersion(name: "New", model: SampleModel.new)
            )
            _ = diagnose(log, path: "a.log", context)
            // A log is never wrong; one without facts about a store counts as refused.
            return log.hashes.isEmpty ? .refused("no hashes") : .accepted
        }
    )

    static let cloudKitSchema = FuzzTarget(
        "cloudkit-schema",
        "a .ckdb, written again, checked and compared",
        tokens: [
            "RECORD TYPE A (", ");", "GRANT READ, WRITE TO \"_creator\",", "ENCRYPTED ", "LIST<",
            "NUMBER PREFERRED AS ", "\"", "/*", "*/", "--", "//", "CREATE ROLE ", ",", "QUERYABLE",
        ],
        takes: { $0.hasSuffix(".ckdb") },
        samples: {
            let mirrored = MirroredEntities(of: SampleModel.old)
            let schema = mirrored.map { predictSchema(of: SampleModel.old, mirroring: $0).schema() }
            return [
                Data((schema?.text ?? "").utf8),
                Data(
                    """
                    // one of each
                    DEFINE SCHEMA
                        CREATE ROLE Keeper;
                        RECORD TYPE Shelf (
                            "___recordID" REFERENCE QUERYABLE, -- the server's
                            label STRING QUERYABLE SEARCHABLE, codes LIST<INT64>,
                            secret ENCRYPTED BYTES, /* a */ n NUMBER PREFERRED AS DOUBLE,
                            GRANT READ, WRITE TO Keeper
                        );
                    """.utf8
                ),
            ]
        },
        run: { bytes in
            let read = readSchema(String(decoding: bytes, as: UTF8.self), path: "schema.ckdb")
            let schema = read.value
            let again = readSchema(schema.text, path: "again")
            for change in diff(from: schema, to: again.value) + diff(from: again.value, to: schema)
            { _ = change.diagnostic(path: "again") }
            if let mirrored = MirroredEntities(of: SampleModel.new) {
                let prediction = predictSchema(of: SampleModel.new, mirroring: mirrored)
                _ = checkSchema(schema, path: "schema.ckdb", against: prediction, isShared: true)
            }
            return verdict(read.diagnostics)
        }
    )

    private static let yaml = [
        "- ", ": ", "\n  ", "&a ", "*a", "!!binary ", "|\n", "{", "}", "[", "]", "<<: *a", "? ",
        "\t", "%YAML 1.2\n---\n", "...", "\"\\x", "~",
    ]
}
