internal import Glibc
internal import NIOCore

extension Error {
    /// Why a connection failed, in the system's words where it was the system, and in ours where it was TLS: SwiftNIO's
    /// name calls and numbers.
    package var connectionFault: String {
        if let error = self as? IOError { return String(cString: strerror(error.errnoCode)) }
        let text = "\(self)"
        return faultsOfTLS.first { text.contains($0.sign) }?.words ?? text
    }
}

/// By what an error of BoringSSL or SwiftNIO tells its kind, which it has no type for, and what there is to do.
private let faultsOfTLS = [
    (
        sign: "CERTIFICATE_VERIFY_FAILED",
        words:
            "this machine does not trust the server's certificate: it has expired, or the authority behind it has to "
            + "be added to those of the system (update-ca-certificates)"
    ),
    (
        sign: "failedToValidateHostname",
        words: "the server's certificate is for another name: use a name in the address that the certificate has"
    ),
    (
        sign: "WRONG_VERSION_NUMBER",
        words: "the server does not speak TLS there: the address may have to begin with http://"
    ),
]
