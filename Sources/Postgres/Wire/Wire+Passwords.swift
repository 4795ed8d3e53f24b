import CLibPQ

extension Wire {
    /// Computes the verifier that the server stores for a password (RFC 5803), so that the password itself is never
    /// sent.
    ///
    /// - Returns: Base64 and punctuation, without quotes.
    func scramVerifier(password: String, user: String) throws(PostgresError) -> String {
        guard !password.utf8.contains(0),
            let verifier = PQencryptPasswordConn(connection, password, user, "scram-sha-256")
        else { throw PostgresError(.encoding, "the password cannot be used") }
        defer { PQfreemem(verifier) }
        return String(cString: verifier)
    }
}
