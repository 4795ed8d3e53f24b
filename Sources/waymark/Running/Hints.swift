import Postgres
import Publishing
import ServiceLifecycle
import Storage

/// Rings the doorbells when PostgreSQL tells of a job or of something live. Only hints: those who wait look by
/// themselves as well.
struct Hints: Service {
    let listener: Listener
    /// One for each that waits, so that a ring while it is busy is remembered.
    let jobs: [Doorbell]
    let live: [Doorbell]

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await event in listener.events() {
                switch event {
                case .listening:
                    for bell in jobs + live { bell.ring() }
                case .notification(let notification):
                    for bell in notification.channel == Store.jobsChannel ? jobs : live { bell.ring() }
                }
            }
        }
    }
}
