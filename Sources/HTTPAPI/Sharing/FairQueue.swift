/// Decides which requests get a slot, which wait and which are refused. It is pure: it uses no tasks and no clocks.
///
/// An owner cannot use all slots, and a caller cannot use all slots of its owner. So a slot is soon free for others.
/// Free slots go to each owner with waiting requests, one after another. An owner's slots go to each of its callers in
/// the same way. A caller's requests are handled in order of arrival.
///
/// If a slot is free while requests wait, their owners or callers have used up their shares. So a new request may get
/// this slot: it does not delay those that wait.
struct FairQueue<Waiter: AnyObject & Sendable>: Sendable {
    /// The limits of requests.
    struct Limits: Sendable {
        /// The maximum number of requests that are handled at the same time.
        let slots: Int
        /// The maximum number of requests that wait for a slot: for each caller, for each owner, and in total.
        var waitingOfCaller = 500
        var waitingOfOwner = 1_000
        var waiting = 5_000
        /// The maximum number of waiting requests for all visitors together, and for all sign-ins together.
        var waitingOfVisitors = 200
        /// The maximum number of requests that wait for an event (`wait`): for each caller, and for each owner.
        var watchingOfCaller = 250
        var watchingOfOwner = 500

        init(slots: Int) { self.slots = max(2, slots) }

        func slots(of owner: Claimant.Owner) -> Int {
            owner.areUnknown ? max(1, slots / 4) : slots * 3 / 4
        }

        var slotsOfCaller: Int { slots / 2 }

        func waiting(of owner: Claimant.Owner) -> Int { owner.areUnknown ? waitingOfVisitors : waitingOfOwner }
    }

    enum Admission: Equatable {
        case enter
        case wait
        case refuse
    }

    private struct Share: Sendable {
        var working = 0
        var watching = 0
        var waiting: [Waiter] = []
        var isEmpty: Bool { working == 0 && watching == 0 && waiting.isEmpty }
    }

    private struct OwnerShare: Sendable {
        var working = 0
        var watching = 0
        var waiting = 0
        var callers: [Claimant: Share] = [:]
        /// The callers with waiting requests, the next one first.
        var turns: [Claimant] = []
    }

    let limits: Limits
    private var owners: [Claimant.Owner: OwnerShare] = [:]
    /// The owners with waiting requests, the next one first.
    private var turns: [Claimant.Owner] = []
    private(set) var working = 0
    private(set) var waiting = 0
    private(set) var watching = 0
    /// True if no request uses a slot or waits.
    var isEmpty: Bool { owners.isEmpty && turns.isEmpty }

    init(limits: Limits) { self.limits = limits }

    /// Requests a slot.
    ///
    /// - Parameter isReturning: True if the request had a slot before. Then it is never refused.
    mutating func request(_ waiter: Waiter, for claimant: Claimant, isReturning: Bool = false) -> Admission {
        let (limits, isFree, hasRoom) = (limits, working < limits.slots, waiting < limits.waiting)
        var isFirst = false
        let admission = change(claimant) { owner, share in
            if isFree, owner.working < limits.slots(of: claimant.owner), share.working < limits.slotsOfCaller {
                owner.working += 1
                share.working += 1
                return Admission.enter
            }
            let isWithin =
                hasRoom && owner.waiting < limits.waiting(of: claimant.owner)
                && share.waiting.count < limits.waitingOfCaller
            guard isWithin || isReturning else { return .refuse }
            isFirst = owner.waiting == 0
            owner.waiting += 1
            if share.waiting.isEmpty { owner.turns.append(claimant) }
            share.waiting.append(waiter)
            return .wait
        }
        switch admission {
        case .enter: working += 1
        case .wait: waiting += 1
        case .refuse: break
        }
        if isFirst { turns.append(claimant.owner) }
        return admission
    }

    /// Frees the slot of a request.
    ///
    /// - Returns: The requests that now get a slot.
    mutating func leave(_ claimant: Claimant) -> [Waiter] {
        working -= 1
        change(claimant) { owner, share in
            owner.working -= 1
            share.working -= 1
        }
        var entering: [Waiter] = []
        while working < limits.slots, let next = nextInTurn() { entering.append(next) }
        return entering
    }

    /// Removes a waiting request.
    ///
    /// - Returns: False if the request was not waiting.
    mutating func withdraw(_ waiter: Waiter, of claimant: Claimant) -> Bool {
        guard let index = owners[claimant.owner]?.callers[claimant]?.waiting.firstIndex(where: { $0 === waiter }) else {
            return false
        }
        _ = take(claimant, at: index)
        return true
    }

    /// Counts a request as waiting for an event.
    ///
    /// - Returns: False if its owner or its caller has too many such requests.
    mutating func watch(_ claimant: Claimant) -> Bool {
        let limits = limits
        let isTaken = change(claimant) { owner, share in
            guard owner.watching < limits.watchingOfOwner, share.watching < limits.watchingOfCaller else {
                return false
            }
            owner.watching += 1
            share.watching += 1
            return true
        }
        if isTaken { watching += 1 }
        return isTaken
    }

    /// Ends the counting of a request that waited for an event.
    mutating func unwatch(_ claimant: Claimant) {
        watching -= 1
        change(claimant) { owner, share in
            owner.watching -= 1
            share.watching -= 1
        }
    }

    /// Gives a slot to the first request whose owner and caller are below their limits. Moves both to the end of their
    /// queues. Returns `nil` if there is no such request.
    private mutating func nextInTurn() -> Waiter? {
        for name in turns {
            guard let owner = owners[name], owner.working < limits.slots(of: name),
                let claimant = owner.turns.first(where: { owner.callers[$0]?.working ?? 0 < limits.slotsOfCaller }),
                let waiter = take(claimant, at: 0)
            else { continue }
            working += 1
            change(claimant) { owner, share in
                owner.working += 1
                share.working += 1
                if !share.waiting.isEmpty { owner.turns.moveToEnd(claimant) }
            }
            turns.moveToEnd(name)
            return waiter
        }
        return nil
    }

    private mutating func take(_ claimant: Claimant, at index: Int) -> Waiter? {
        var waiter: Waiter?
        var isLast = false
        change(claimant) { owner, share in
            waiter = share.waiting.remove(at: index)
            owner.waiting -= 1
            if share.waiting.isEmpty { owner.turns.removeAll { $0 == claimant } }
            isLast = owner.waiting == 0
        }
        waiting -= 1
        if isLast { turns.removeAll { $0 == claimant.owner } }
        return waiter
    }

    /// Changes the share of a caller. Removes the share if it is then empty.
    private mutating func change<Value>(
        _ claimant: Claimant, _ body: (inout OwnerShare, inout Share) -> Value
    ) -> Value {
        // Remove the values from their dictionaries during the change. A second reference would cause a copy.
        var owner = owners.removeValue(forKey: claimant.owner) ?? OwnerShare()
        var share = owner.callers.removeValue(forKey: claimant) ?? Share()
        let value = body(&owner, &share)
        if !share.isEmpty { owner.callers[claimant] = share }
        if !owner.callers.isEmpty { owners[claimant.owner] = owner }
        return value
    }
}

extension Array where Element: Equatable {
    fileprivate mutating func moveToEnd(_ element: Element) {
        guard let index = firstIndex(of: element) else { return }
        append(remove(at: index))
    }
}
