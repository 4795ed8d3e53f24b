package import NIOCore

/// The time at which a connection is closed. Every step of the connection moves it.
///
/// Moving it needs no new timer: the running timer checks the time again when it fires. Belongs to one event loop.
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

    /// Removes the time until the next one is set.
    package func clear() { moment = .distantFuture }

    /// Stops: `expired` will not be called any more.
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
