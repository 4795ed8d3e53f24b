import AASA
import Testing

/// Tests of the answer to "Is my app in this file?"
@Suite struct AppMentionTests {
    private func sentence(_ file: String) throws -> String {
        Association.mentions(of: try AppID("Q1W2E3R4T5.com.acme.shop"), in: Array(file.utf8)).sentence
    }

    @Test(
        "an app counts as listed only at places that the systems read",
        arguments: [
            (
                #"{"applinks":{"details":[{"appIDs":["q1w2e3r4t5.com.acme.shop"]}]}}"#,
                "applinks (/applinks/details/0/appIDs/0)."
            ),
            (
                #"{"applinks":{"details":{"Q1W2E3R4T5.com.acme.shop":{}}}}"#,
                "applinks (/applinks/details/Q1W2E3R4T5.com.acme.shop)."
            ),
            (#"{"applinks":{"apps":["Q1W2E3R4T5.com.acme.shop"]}}"#, "applinks (/applinks/apps/0)."),
            (#"{"authsrv":{"apps":[1,"Q1W2E3R4T5.com.acme.shop"]}}"#, "authsrv (/authsrv/apps/1)."),
            (#"{"applinks":{"details":[{"appIDs":[],"appID":"Q1W2E3R4T5.com.acme.shop"}]}}"#, nil),
            (#"{"other":{"apps":["Q1W2E3R4T5.com.acme.shop"]}}"#, nil), ("{}", nil), ("[", nil),
        ])
    func places(file: String, expected: String?) throws {
        let app = "Q1W2E3R4T5.com.acme.shop"
        #expect(try sentence(file) == (expected.map { "\(app) is in \($0)" } ?? "\(app) is not in this file."))
    }

    @Test("if an app is missing, an ID with the same bundle ID or with a typo is suggested")
    func similar() throws {
        let file = { (app: String) in #"{"webcredentials":{"apps":["Q1W2E3R4T5.net.other","\#(app)"]}}"# }
        for app in ["A7K2M9Q4X1.com.acme.shop", "Q1W2E3R4T5.com.acme.Shop", "com.acme.shop", "Q1W2E3R4T5.com.acme.shp"]
        {
            #expect(try sentence(file(app)).hasSuffix("Did you mean \(app)?") == (app != "com.acme.shop"))
        }
    }
}
