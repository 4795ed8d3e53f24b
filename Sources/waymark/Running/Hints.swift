import Postgres
import Publishing
import ServiceLifecycle
import Storage

/// Rings the doorbells when PostgreSQL notifies of a job or of a change of the live files. These are only hints: services
/// that wait also look regularly.
struct Hints: Service {
    let listener: Listener
    /// One doorbell per waiting service, so that a ring while it is busy is not lost.
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
