/// Who gets a place to work at, who waits for one, and who is turned away: decisions alone, without tasks or clocks.
///
/// No owner holds all places, and no caller all of its owner's, so that there is always one to be had soon. A place that
/// becomes free goes to the owners in turn, within an owner to its callers in turn, and to the requests of a caller in the
/// order in which they came.
///
/// While a place is free, all who wait have their share already: a newcomer who gets it overtakes nobody.
struct WorkShares<Waiter: AnyObject & Sendable>: Sendable {
    /// What is to be shared.
    struct Limits: Sendable {
        /// Requests worked on at once.
        let places: Int
        /// Requests waiting for a place: of one caller, of one owner, of all.
        var waitingOfCaller = 500
        var waitingOfOwner = 1_000
        var waiting = 5_000
        /// Of the visitors together, and of those who are signing in.
        var waitingOfVisitors = 200
        /// Requests that watch for something to happen: of one caller, of one owner.
        var watchingOfCaller = 250
        var watchingOfOwner = 500

        init(places: Int) { self.places = max(2, places) }

        func places(of owner: Claimant.Owner) -> Int {
            owner.areUnknown ? max(1, places / 4) : places * 3 / 4
        }

        var placesOfCaller: Int { places / 2 }

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
        /// Those of whom requests wait, whose turn it is first.
        var turns: [Claimant] = []
    }

    let limits: Limits
    private var owners: [Claimant.Owner: OwnerShare] = [:]
    /// Those of whom requests wait, whose turn it is first.
    private var turns: [Claimant.Owner] = []
    private(set) var working = 0
    private(set) var waiting = 0
    private(set) var watching = 0
    /// Nothing is remembered of anybody.
    var isEmpty: Bool { owners.isEmpty && turns.isEmpty }

    init(limits: Limits) { self.limits = limits }

    /// A request wants a place.
    ///
    /// - Parameter isReturning: it had one before, and is not turned away.
    mutating func request(_ waiter: Waiter, for claimant: Claimant, isReturning: Bool = false) -> Admission {
        let (limits, isFree, hasRoom) = (limits, working < limits.places, waiting < limits.waiting)
        var isFirst = false
        let admission = change(claimant) { owner, share in
            if isFree, owner.working < limits.places(of: claimant.owner), share.working < limits.placesOfCaller {
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

    /// A request has left its place.
    ///
    /// - Returns: those who have one from now on.
    mutating func leave(_ claimant: Claimant) -> [Waiter] {
        working -= 1
        change(claimant) { owner, share in
            owner.working -= 1
            share.working -= 1
        }
        var entering: [Waiter] = []
        while working < limits.places, let next = nextInTurn() { entering.append(next) }
        return entering
    }

    /// A waiter gives up.
    ///
    /// - Returns: false when it does not wait (any more).
    mutating func withdraw(_ waiter: Waiter, of claimant: Claimant) -> Bool {
        guard let place = owners[claimant.owner]?.callers[claimant]?.waiting.firstIndex(where: { $0 === waiter }) else {
            return false
        }
        _ = take(claimant, at: place)
        return true
    }

    /// A request wants to watch for something to happen.
    ///
    /// - Returns: false where its owner or its caller have too many that do.
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

    /// A request has ended that has watched.
    mutating func unwatch(_ claimant: Claimant) {
        watching -= 1
        change(claimant) { owner, share in
            owner.watching -= 1
            share.watching -= 1
        }
    }

    /// Gives a place to the first in turn who may have one, and puts owner and caller at the end.
    private mutating func nextInTurn() -> Waiter? {
        for name in turns {
            guard let owner = owners[name], owner.working < limits.places(of: name),
                let claimant = owner.turns.first(where: { owner.callers[$0]?.working ?? 0 < limits.placesOfCaller }),
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

    private mutating func take(_ claimant: Claimant, at place: Int) -> Waiter? {
        var waiter: Waiter?
        var isLast = false
        change(claimant) { owner, share in
            waiter = share.waiting.remove(at: place)
            owner.waiting -= 1
            if share.waiting.isEmpty { owner.turns.removeAll { $0 == claimant } }
            isLast = owner.waiting == 0
        }
        waiting -= 1
        if isLast { turns.removeAll { $0 == claimant.owner } }
        return waiter
    }

    /// Changes the share of a caller, and forgets it when nothing is left of it.
    private mutating func change<Value>(
        _ claimant: Claimant, _ body: (inout OwnerShare, inout Share) -> Value
    ) -> Value {
        // Taken out meanwhile, so that nothing is copied.
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
        guard let place = firstIndex(of: element) else { return }
        append(remove(at: place))
    }
}
