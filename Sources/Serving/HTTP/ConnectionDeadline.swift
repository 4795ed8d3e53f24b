package import NIOCore

/// The moment at which a connection is given up, moved with every step that it makes.
///
/// Moving it costs no timer: the timer runs on, and looks again when it goes off. Belongs to one event loop.
package final class ConnectionDeadline {
    private var moment = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?
    private var timerMoment = NIODeadline.distantFuture
    private var expired: (() -> Void)?

    /// A deadline that is not set.
    package init() {}

    /// From now on, `expired` is called once when the moment has passed.
    package func start(_ expired: @escaping () -> Void) { self.expired = expired }

    /// Puts the moment `amount` from now.
    package func set(_ amount: TimeAmount, on eventLoop: any EventLoop) {
        moment = .now() + amount
        if moment < timerMoment { schedule(on: eventLoop) }
    }

    /// There is no moment until the next one is set.
    package func clear() { moment = .distantFuture }

    /// Nothing will be called any more.
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
