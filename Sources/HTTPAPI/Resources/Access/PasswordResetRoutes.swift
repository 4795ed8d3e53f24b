import HTTPTypes
import PasswordHashing
import Storage
import StrictJSON

/// `/v1/password-reset-mails` and `/v1/password-resets`: a new password for a user who forgot it.
extension API {
    /// Queues a mail with a link. The answer and the work are the same for an unknown address.
    func mailPasswordReset(_ call: Call) async throws -> Answer {
        try authentication.requireOwnPage(call.request)
        let email = try call.decode { $0.required("email", .emailAddress) }
        try requireMailServer("Ask the operator for a sign-in link.")
        try await store.write { try $0.mailPasswordReset(to: email) }
        return .noContent
    }

    /// Sets a new password with the code of the link, ends all sessions, and opens a new one.
    func resetPassword(_ call: Call) async throws -> Answer {
        try authentication.requireOwnPage(call.request)
        let sent = try call.decode { reader -> (code: String, password: String, secondFactor: ShownFactor?)? in
            let code = reader.required("code", .text(min: 1, max: 200))
            let password = reader.required("password", .password)
            let secondFactor = reader.secondFactor()
            guard let code, let password else { return nil }
            return (code, password, secondFactor)
        }
        guard let code = Secret(sent.code, prefix: ""),
            let user = try await store.read({ try $0.user(ofSignInCode: code, for: .passwordReset) })
        else { throw APIError.invalidCode }
        // Before the code is used, so that a refused password does not use it up.
        try PasswordRules.require(sent.password, names: [user.email, user.name])
        try passwords.requireRoom(for: call.network)
        try await requireSecondFactor(sent.secondFactor, ofLinkOwner: user, for: call)
        let hash = try await passwords.hash(sent.password, for: call.network)
        let opened = try await store.write { installation in
            guard try installation.useSignInCode(code, for: .passwordReset) == user.id else {
                throw APIError.invalidCode
            }
            try installation.setPasswordHash(hash.text, of: user.id)
            try installation.forgetFailures(.signIn(email: user.email))
            try installation.mailPasswordChange(to: user)
            try installation.closeSessions(of: user.id)
            return try openSession(of: user.id, for: call, in: installation)
        }
        authentication.callers.forget()
        return answer(opened)
    }

    /// Throws 409 `no_mail_server`.
    ///
    /// - Parameter remedy: What to do instead.
    func requireMailServer(_ remedy: String) throws(APIError) {
        guard settings.sendsMail else {
            throw APIError(.conflict, "no_mail_server", "This installation sends no mails. \(remedy)")
        }
    }
}
