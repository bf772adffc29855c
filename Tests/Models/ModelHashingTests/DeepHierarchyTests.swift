import ModelHashing
import ObjectModel
import TestSupport
import Testing

struct DeepHierarchyTests {
    @Test(arguments: [false, true])
    func `a chain of thousands of parents neither exhausts the stack nor stays unhashed`(
        isCircle: Bool
    ) {
        let count = Sweep.count(20_000, every: 4)
        let entities = (0..<count).map { number in
            // Children first: the hash of the first entity needs those of all the others.
            let parent = isCircle ? (number + 1) % count : number + 1
            return Entity(name: "E\(number)", parentEntity: "E\(parent)")
        }
        let hashes = versionHashes(of: ManagedObjectModel(entities: entities))
        #expect(hashes.entities.count == count)
    }

    @Test func `an entity is hashed anew when an ancestor changed, however far up`() {
        func model(_ name: String) -> ManagedObjectModel {
            let root = Entity(name: "E0", attributes: [Attribute(name: name, type: .string)])
            let others = (1..<ModelGraph.depthLimit).map { number in
                Entity(name: "E\(number)", parentEntity: "E\(number - 1)")
            }
            return ManagedObjectModel(entities: [root] + others)
        }
        let (old, new) = (model("old"), model("new"))
        let versions = [old, old, new].map { ModelVersion(model: $0) }
        hashTogether(versions)
        let together = versions.map(\.hashes)
        #expect(together == versions.map { versionHashes(of: $0.model) })
        for (name, hash) in together[0].entities { #expect(together[2].entities[name] != hash) }
    }
}
