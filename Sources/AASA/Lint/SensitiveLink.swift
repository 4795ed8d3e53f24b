/// A link that usually belongs in the browser. If an app opens it, it interrupts a sign-in, breaks a link from an
/// email, or hides a file that other programs fetch. Lint evaluates each of these links with the matcher (WM059).
public struct SensitiveLink: Hashable, Sendable {
    /// A path, with a query if required, such as `/oauth/callback`.
    public let url: String
    /// The purpose in a few words, such as "an OAuth callback".
    public let purpose: String

    /// Creates a link.
    public init(url: String, purpose: String) {
        self.url = url
        self.purpose = purpose
    }

    /// The links that lint checks by default.
    public static let known: [SensitiveLink] = [
        SensitiveLink(url: "/.well-known/openid-configuration", purpose: "a file for programs"),
        SensitiveLink(url: "/.well-known/change-password", purpose: "where password managers change passwords"),
        SensitiveLink(url: "/oauth/callback?code=x", purpose: "an OAuth callback"),
        SensitiveLink(url: "/oauth2/callback?code=x", purpose: "an OAuth callback"),
        SensitiveLink(url: "/auth/callback?code=x", purpose: "a sign-in callback"),
        SensitiveLink(url: "/saml/acs", purpose: "a single sign-on response"),
        SensitiveLink(url: "/login", purpose: "a sign-in page"),
        SensitiveLink(url: "/signin", purpose: "a sign-in page"),
        SensitiveLink(url: "/logout", purpose: "a sign-out page"),
        SensitiveLink(url: "/password/reset?token=x", purpose: "a password reset"),
        SensitiveLink(url: "/reset-password?token=x", purpose: "a password reset"),
        SensitiveLink(url: "/forgot-password", purpose: "a password reset"),
        SensitiveLink(url: "/verify-email?token=x", purpose: "the confirmation of an email address"),
        SensitiveLink(url: "/unsubscribe?token=x", purpose: "an unsubscribe page"),
        SensitiveLink(url: "/api/v1/users", purpose: "an API"),
        SensitiveLink(url: "/graphql", purpose: "an API"),
        SensitiveLink(url: "/admin", purpose: "administration"),
        SensitiveLink(url: "/wp-admin/", purpose: "administration"),
        SensitiveLink(url: "/checkout/payment", purpose: "a payment"),
        SensitiveLink(url: "/robots.txt", purpose: "a file for programs"),
    ]
}
