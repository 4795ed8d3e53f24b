import CLinux
import Glibc
import Timing

/// Wakes a thread that waits in `poll`. Uses an eventfd.
final class WakeUp: Sendable {
    /// The descriptor to poll. It becomes readable after `raise()`. It is -1 if the process has no free descriptor.
    let descriptor: Int32

    init() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Wakes the thread that is polling. If none is polling, the next `poll` returns immediately.
    func raise() {
        eventfd_write(descriptor, 1)
    }

    /// Clears all previous wake-ups.
    func clear() {
        var count: UInt = 0
        eventfd_read(descriptor, &count)
    }

    /// Waits until `raise()` is called, or until `moment`.
    func wait(until moment: MonotonicInstant) {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&polled, 1, moment.pollTimeout(from: .now)) > 0 { clear() }
    }
}
