internal import Glibc
internal import NIOCore

extension Error {
    /// The reason for a failed connection. A system error has the system's text. A TLS error has our own text, because
    /// SwiftNIO's text contains only function names and numbers.
    package var connectionFault: String {
        if let error = self as? IOError { return String(cString: strerror(error.errnoCode)) }
        let text = "\(self)"
        return faultsOfTLS.first { text.contains($0.sign) }?.words ?? text
    }
}

/// TLS errors of BoringSSL and SwiftNIO. They have no types, so `sign` is a part of the text that identifies each error.
/// `words` is our text for it.
private let faultsOfTLS = [
    (
        sign: "CERTIFICATE_VERIFY_FAILED",
        words:
            "this machine does not trust the server's certificate: it has expired, or you must "
            + "add its authority to those of the system (update-ca-certificates)"
    ),
    (
        sign: "failedToValidateHostname",
        words: "the server's certificate is for another name: use a name from the certificate in the address"
    ),
    (
        sign: "WRONG_VERSION_NUMBER",
        words: "the server does not speak TLS at this address: try an address that begins with http://"
    ),
]
