/// The combinations of choices, one of each list, the cheapest first.
///
/// Lists are sorted by cost. Each combination is made of one before by one step: the next choice of the list in hand,
/// or the second one of the list behind it, with or without the one in hand; taken in the order of the first steps'
/// costs, that gives each combination once.
struct CheapestFirst: Sequence, IteratorProtocol {
    private struct State {
        var cost: Int
        var place: Int
        var choices: [Int]
    }

    private let costs: [[Int]]
    /// The lists that have a choice, by what the second one costs more than the first.
    private let order: [Int]
    private var heap: [State] = []
    private var hasStarted = false

    init(_ costs: [[Int]]) {
        self.costs = costs
        order = costs.indices.filter { costs[$0].count > 1 }
            .sorted { (costs[$0][1] - costs[$0][0], $0) < (costs[$1][1] - costs[$1][0], $1) }
    }

    /// Returns the places of the choices of the next combination.
    mutating func next() -> [Int]? {
        guard hasStarted else {
            hasStarted = true
            let first = [Int](repeating: 0, count: costs.count)
            if !order.isEmpty { push(stepping(State(cost: 0, place: 0, choices: first), 0)) }
            return first
        }
        guard let state = pop() else { return nil }
        let list = order[state.place]
        if state.choices[list] + 1 < costs[list].count { push(stepping(state, state.place)) }
        if state.place + 1 < order.count {
            push(stepping(state, state.place + 1))
            if state.choices[list] == 1 {
                var back = state
                back.cost -= costs[list][1] - costs[list][0]
                back.choices[list] = 0
                push(stepping(back, state.place + 1))
            }
        }
        return state.choices
    }

    private func stepping(_ state: State, _ place: Int) -> State {
        var next = state
        let list = order[place]
        let choice = state.choices[list]
        next.cost += costs[list][choice + 1] - costs[list][choice]
        next.choices[list] = choice + 1
        next.place = place
        return next
    }

    private mutating func push(_ state: State) {
        heap.append(state)
        var place = heap.count - 1
        while place > 0, heap[place].cost < heap[(place - 1) / 2].cost {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func pop() -> State? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var place = 0
        while true {
            let below = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
            guard let least = below.min(by: { heap[$0].cost < heap[$1].cost }),
                heap[least].cost < heap[place].cost
            else { return first }
            heap.swapAt(place, least)
            place = least
        }
    }
}
