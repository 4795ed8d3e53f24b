internal import NIOCore

/// The moment at which a connection is given up, moved with every step that it makes.
///
/// Moving it costs no timer: the timer runs on, and looks again when it goes off. Belongs to one event loop.
final class ConnectionDeadline {
    private var moment = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?
    private var timerMoment = NIODeadline.distantFuture
    private var expired: (() -> Void)?

    /// From now on, `expired` is called once when the moment has passed.
    func start(_ expired: @escaping () -> Void) { self.expired = expired }

    /// Puts the moment `amount` from now.
    func set(_ amount: TimeAmount, on eventLoop: any EventLoop) {
        moment = .now() + amount
        if moment < timerMoment { schedule(on: eventLoop) }
    }

    /// Nothing will be called any more.
    func stop() {
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
        guard let expired else { return }
        if NIODeadline.now() >= moment {
            moment = .distantFuture
            expired()
        } else {
            schedule(on: eventLoop)
        }
    }
}
