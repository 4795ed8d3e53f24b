internal import Glibc
internal import NIOCore

extension Error {
    /// Why a connection failed, in the system's words where it was the system: SwiftNIO's name calls and numbers.
    package var connectionFault: String {
        guard let error = self as? IOError else { return "\(self)" }
        return String(cString: strerror(error.errnoCode))
    }
}
