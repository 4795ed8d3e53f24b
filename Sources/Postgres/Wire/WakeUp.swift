import CLinux
import Glibc
import Timing

/// Lets one thread wake another out of `poll`: an eventfd.
final class WakeUp: Sendable {
    /// Becomes readable when raised; -1 when the process has run out of descriptors.
    let descriptor: Int32

    init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Wakes the thread that polls, or the next to do so.
    func raise() {
        eventfd_write(descriptor, 1)
    }

    /// Takes the wake-ups so far.
    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }

    /// Waits until raised or until `moment`.
    func wait(until moment: MonotonicInstant) {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&polled, 1, moment.pollTimeout(from: .now)) > 0 { clear() }
    }
}
