import HTTPTypes
import Storage
import Testing

@testable import HTTPAPI

@Suite("Session cookie")
struct SessionCookieTests {
    private func request(_ cookies: String...) -> HTTPRequest {
        var request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        for cookie in cookies { request.headerFields.append(HTTPField(name: .cookie, value: cookie)) }
        return request
    }

    @Test("over https, the name binds the cookie to the host; scripts and other sites never get it")
    func attributes() {
        let secret = Secret(prefix: "")
        #expect(
            SessionCookie(isSecure: true).setting(secret)
                == "__Host-waymark=\(secret.text); Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure")
        #expect(
            SessionCookie(isSecure: false).setting(secret)
                == "waymark=\(secret.text); Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax")
        #expect(
            SessionCookie(isSecure: true).clearing
                == "__Host-waymark=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure")
    }

    @Test("the cookie is found among others, in one field or in several")
    func finding() {
        let secret = Secret(prefix: "")
        let cookie = SessionCookie(isSecure: false)
        for request in [
            request("waymark=\(secret.text)"), request("a=b; waymark=\(secret.text); c=d"),
            request("a=b;waymark=\(secret.text)"), request("a=b", "waymark=\(secret.text)"),
        ] {
            #expect(cookie.secret(in: request)?.text == secret.text)
        }
    }

    @Test("another name, the name of the other scheme or a malformed secret is not a session")
    func refused() {
        let secret = Secret(prefix: "").text
        let cookie = SessionCookie(isSecure: true)
        for cookies in [
            "waymark=\(secret)", "__Host-waymark2=\(secret)", "__Host-waymark=\(secret)x", "__Host-waymark",
            "__Host-waymark=", "", ";;=;", "__host-waymark=\(secret)",
        ] {
            #expect(cookie.secret(in: request(cookies)) == nil, "\(cookies)")
        }
        #expect(cookie.secret(in: request("__Host-waymark=\(secret)"))?.text == secret)
    }
}
