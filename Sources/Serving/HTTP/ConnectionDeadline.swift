package import NIOCore

/// The time when a connection is closed. Each step of the connection sets a new time.
///
/// Setting a later time does not need a new timer: when the running timer fires, it checks the time again. Use a
/// deadline on one event loop only.
package final class ConnectionDeadline {
    private var moment = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?
    private var timerMoment = NIODeadline.distantFuture
    private var expired: (() -> Void)?

    /// Creates a deadline without a time.
    package init() {}

    /// Calls `expired` once when the time has passed.
    package func start(_ expired: @escaping () -> Void) { self.expired = expired }

    /// Sets the time to `amount` from now.
    package func set(_ amount: TimeAmount, on eventLoop: any EventLoop) {
        moment = .now() + amount
        if moment < timerMoment { schedule(on: eventLoop) }
    }

    /// Removes the time, until the next `set`.
    package func clear() { moment = .distantFuture }

    /// Stops the deadline. `expired` will not be called.
    package func stop() {
        timer?.cancel()
        timer = nil
        expired = nil
    }

    private func schedule(on eventLoop: any EventLoop) {
        timer?.cancel()
        timerMoment = moment
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: moment) { [weak self] in
            self?.look(on: eventLoop)
        }
    }

    private func look(on eventLoop: any EventLoop) {
        timer = nil
        timerMoment = .distantFuture
        guard let expired, moment < .distantFuture else { return }
        if NIODeadline.now() >= moment {
            moment = .distantFuture
            expired()
        } else {
            schedule(on: eventLoop)
        }
    }
}
