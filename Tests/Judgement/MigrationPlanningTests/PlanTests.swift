import Diagnostics
import MappingInference
import MigrationPlanning
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

private func version(_ name: String, _ attributes: Attribute...) -> ModelVersion {
    ModelVersion(name: name, model: ManagedObjectModel([Entity("E", attributes)]))
}

private let text = Attribute("a", .string)
private let bytes = Attribute("a", .binary)
private let date = Attribute("a", .date)

struct PlanTests {
    @Test func `a legal step is taken directly`() {
        let graph = VersionGraph(versions: [version("1"), version("2"), version("3", text)])
        guard case .direct(let plan) = graph.route(from: 0, to: 2) else {
            Issue.record("the step is not direct")
            return
        }
        #expect(plan.source.name == "1" && plan.destination.name == "3")
        #expect(plan.mapping.verdict == .lightweight)
    }

    @Test func `a refused step is taken by the shortest chain`() {
        let graph = VersionGraph(
            versions: [
                version("1", text), version("2", text, Attribute("b", .date)),
                version("3"), version("4", bytes),
            ]
        )
        guard case .detour(let detour) = graph.route(from: 0, to: 3) else {
            Issue.record("no way around")
            return
        }
        let (plans, refused) = (detour.plans, detour.refused)
        #expect(detour.losses == ["E.a"])
        #expect(plans.map(\.source.name) == ["1", "3"])
        #expect(plans.map(\.destination.name) == ["3", "4"])
        #expect(refused.mapping.refusals.map(\.code) == [.inferredMappingModel])
        #expect(plans[0].mapping.verdict == .losesData)
    }

    @Test func `where no chain leads the refused steps are told`() {
        let graph = VersionGraph(
            versions: [version("1", text), version("2", bytes), version("3", date)]
        )
        guard case .none(let refused, let deadEnds) = graph.route(from: 0, to: 2) else {
            Issue.record("a way was found")
            return
        }
        #expect(refused.destination.name == "3")
        #expect(deadEnds.map(\.source.name) == ["1", "2"])
    }

    @Test func `equal checksums need no migration`() {
        var model = version("2", text).model
        model.entities[0].attributes[0].defaultValue = .string("x")
        let relabelled = ModelVersion(name: "2", model: model)
        let graph = VersionGraph(versions: [version("1", text), relabelled])
        #expect(graph.route(from: 0, to: 1) == .nothingToDo)
        #expect(MigrationPlan(from: graph.versions[0], to: graph.versions[1]).isInvisible)
    }

    @Test func `the way back goes through the versions between`() {
        let graph = VersionGraph(versions: [version("1", text), version("2"), version("3", bytes)])
        guard case .detour(let detour) = graph.route(from: 2, to: 0) else {
            Issue.record("no way around")
            return
        }
        #expect(detour.plans.map(\.destination.name) == ["2", "1"])
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `every real bundle has a way or a reason`() {
        for path in Corpus.paths(where: { $0.hasSuffix(".xcdatamodeld") }) {
            let versions = readModelBundle(at: Corpus.path(path)).value.versions
            guard let first = versions.first, let last = versions.last else { continue }
            let route = VersionGraph(versions: versions).route(from: 0, to: versions.count - 1)
            switch route {
            case .nothingToDo: #expect(first.checksum == last.checksum)
            case .direct(let plan): #expect(plan.mapping.refusals.isEmpty)
            case .detour(let detour):
                #expect(detour.plans.allSatisfy(\.isLegal) && !detour.refused.isLegal)
                let pairs = zip(detour.plans, detour.plans.dropFirst())
                #expect(pairs.allSatisfy { $0.destination == $1.source })
            case .none(let refused, let deadEnds):
                #expect(!refused.isLegal && !deadEnds.isEmpty)
            }
        }
    }
}
