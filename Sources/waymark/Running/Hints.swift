import Postgres
import Publishing
import ServiceLifecycle
import Storage

/// Rings the doorbells when PostgreSQL tells of a job or of something live. Only hints: those who wait look by
/// themselves as well.
struct Hints: Service {
    let listener: Listener
    let jobs: Doorbell
    let live: Doorbell

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await event in listener.events() {
                switch event {
                case .listening:
                    jobs.ring()
                    live.ring()
                case .notification(let notification):
                    (notification.channel == Store.jobsChannel ? jobs : live).ring()
                }
            }
        }
    }
}
