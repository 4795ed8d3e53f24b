import HTTPTypes
import PasswordHashing
import Storage
import StrictJSON

/// Who may create organizations, as the operator decides.
public enum OrganizationCreation: String, CaseIterable, Sendable {
    /// Only the operator.
    case nobody
    /// Everyone with an account. Accounts come from invitations and from the operator.
    case invited
    /// Everyone. People create accounts of their own.
    case anyone
}

/// `/v1/installation`, `/v1/sign-up-mails` and `/v1/sign-ups`: what visitors can do, and accounts of their own.
extension API {
    func showInstallation(_ call: Call) async throws -> Answer {
        .json(["signUp": .bool(settings.organizationCreation == .anyone), "sendsMail": .bool(settings.sendsMail)])
    }

    /// Queues a mail with a link. The answer and the work are the same for an address with an account.
    func mailSignUp(_ call: Call) async throws -> Answer {
        try authentication.requireOwnPage(call.request)
        let email = try call.decode { $0.required("email", .emailAddress) }
        try requireSignUps()
        try await store.write { try $0.mailSignUp(to: email) }
        return .noContent
    }

    /// Creates an account with the code of the link, and opens a session.
    func signUp(_ call: Call) async throws -> Answer {
        try authentication.requireOwnPage(call.request)
        let sent = try call.decode { reader -> (code: String, name: String, password: String)? in
            let code = reader.required("code", .text(min: 1, max: 200))
            let name = reader.required("name", .name)
            let password = reader.required("password", .password)
            guard let code, let name, let password else { return nil }
            return (code, name, password)
        }
        try requireSignUps()
        guard let code = Secret(sent.code, prefix: ""),
            let email = try await store.read({ try $0.email(ofSignUpCode: code) })
        else { throw APIError.invalidCode }
        // Before the code is used, so that a refused password does not use it up.
        try PasswordRules.require(sent.password, names: [email, sent.name])
        let hash = try await passwords.hash(sent.password, for: call.network)
        let opened = try await store.write { installation in
            guard let user = try installation.signUp(code, name: sent.name, passwordHash: hash.text) else {
                throw APIError.invalidCode
            }
            return try openSession(of: user.id, for: call, in: installation)
        }
        authentication.callers.forget()
        return answer(opened, .created)
    }

    private func requireSignUps() throws(APIError) {
        guard settings.organizationCreation == .anyone else {
            throw APIError(
                .conflict, "no_sign_ups",
                "On this installation, people join by invitation. Ask the person who runs it, or an administrator of "
                    + "your organization.")
        }
    }
}
