/// What lint can find, with the words for it. All texts of findings stand here: what is wrong, and what to do.
enum Problem {
    case unreadable(AssociationError)
    case duplicateKey(String)
    case tooLarge(Int)
    case nearlyTooLarge(Int)
    case noService
    /// What is wanted, what is there, and what Apple's systems make of it.
    case wrongType(wanted: String, found: String, effect: String)
    case malformedAppID(String, reason: String)
    case entryWithoutApps
    case emptyRules(key: String)
    case repeatedApp(String, first: String)
    case unregisteredApp(String)
    case unknownKey(String)
    case misspelledKey(String, meant: String)
    case deadRule(behind: String)
    case undefinedVariable(String)
    case unterminatedVariable
    case legacyDetails
    case nonEmptyApps(isIgnored: Bool)
    case ignoredPaths

    var code: FindingCode {
        switch self {
        case .unreadable(.invalidJSON): .invalidJSON
        case .unreadable(.rootIsNotAnObject): .rootNotObject
        case .unreadable(.otherEncoding): .otherEncoding
        case .unreadable(.signed): .signed
        case .duplicateKey: .duplicateKey
        case .tooLarge: .tooLarge
        case .nearlyTooLarge: .nearlyTooLarge
        case .noService: .noService
        case .wrongType: .wrongType
        case .malformedAppID: .malformedAppID
        case .entryWithoutApps: .entryWithoutApps
        case .emptyRules: .emptyRules
        case .repeatedApp: .repeatedApp
        case .unregisteredApp: .unregisteredApp
        case .unknownKey: .unknownKey
        case .misspelledKey: .misspelledKey
        case .deadRule: .deadRule
        case .undefinedVariable: .undefinedVariable
        case .unterminatedVariable: .unterminatedVariable
        case .legacyDetails: .legacyDetails
        case .nonEmptyApps: .nonEmptyApps
        case .ignoredPaths: .ignoredPaths
        }
    }

    var message: String {
        switch self {
        case .unreadable(let error): error.detail
        case .duplicateKey(let name):
            "The key \"\(name)\" stands twice in this object. Which of the two counts is not defined."
        case .tooLarge(let size):
            "The file has \(size) bytes; Apple's systems take at most \(Association.maximumSize) and drop the file whole."
        case .nearlyTooLarge(let size):
            "The file has \(size) bytes: less than the limit of \(Association.maximumSize), "
                + "but some tools count the limit of \"128 KB\" as \(Association.advisedSize)."
        case .noService:
            "The file has no service: neither \"applinks\" nor any other. It associates nothing."
        case .wrongType(let wanted, let found, let effect): "This must be \(wanted), but it is \(found): \(effect)."
        case .malformedAppID(let text, let reason): "\"\(text)\" is no app ID: it \(reason)."
        case .entryWithoutApps: "This entry names no app, so its rules serve nobody."
        case .emptyRules(let key): "\"\(key)\" is empty, so the apps of this entry open no URL at all."
        case .repeatedApp(let app, let first):
            "\(app) has an entry already, at \(first). Apple's systems are reported to use the first one only."
        case .unregisteredApp(let app): "\(app) is not among the registered apps."
        case .unknownKey(let name): "\"\(name)\" is not a key that Apple's systems know here; they ignore it."
        case .misspelledKey(let name, let meant):
            "\"\(name)\" is not a key that Apple's systems know here; it looks like \"\(meant)\". They ignore it."
        case .deadRule(let blocker): "This rule is never reached: the rule at \(blocker) matches every URL."
        case .undefinedVariable(let name):
            "$(\(name)) is neither defined in \"substitutionVariables\" nor by Apple, so the rule never matches."
        case .unterminatedVariable: "\"$(\" begins a variable, but \")\" is missing, so the rule never matches."
        case .legacyDetails: "\"details\" is an object. Apple's systems still read that old form, in no defined order."
        case .nonEmptyApps(let isIgnored):
            isIgnored
                ? "\"apps\" is not empty. It has no effect beside \"details\", and iOS 9 to 12 reject such a file."
                : "Without \"details\", every app of \"apps\" opens every URL of the domain."
        case .ignoredPaths: "\"paths\" has no effect beside \"components\" since iOS 13."
        }
    }

    var remedy: String {
        switch self {
        case .unreadable(.invalidJSON): "Correct the JSON at this place; comments and trailing commas are not allowed."
        case .unreadable(.rootIsNotAnObject): "Put everything into one object: {\"applinks\": {…}}."
        case .unreadable(.otherEncoding): "Save the file as UTF-8."
        case .unreadable(.signed): "Serve the JSON itself, unsigned, over HTTPS."
        case .duplicateKey: "Keep one of the two, or put both patterns into one object."
        case .tooLarge, .nearlyTooLarge:
            "Merge rules with wildcards and substitution variables, move repeated keys to \"defaults\", "
                + "drop comments and white space."
        case .noService: "Add \"applinks\" or another service; service names are in lower case."
        case .wrongType(let wanted, _, _): "Write \(wanted)."
        case .malformedAppID:
            "Write the App ID Prefix (10 characters, usually the Team ID), a period and the bundle ID: "
                + "ABCDE12345.com.example.app."
        case .entryWithoutApps: "Name the apps in \"appIDs\", or remove the entry."
        case .emptyRules(let key):
            "Add a rule, remove \"\(key)\" if the apps are to open every URL, or remove the entry."
        case .repeatedApp: "Give each app one entry with all of its rules."
        case .unregisteredApp: "Check the spelling, or register the app."
        case .unknownKey: "Remove the key if it has no use elsewhere."
        case .misspelledKey(_, let meant): "Write \"\(meant)\"."
        case .deadRule: "Move this rule before that one, or remove it."
        case .undefinedVariable: "Define the variable, or correct its name: letter case counts."
        case .unterminatedVariable: "Add the \")\"."
        case .legacyDetails: "Make \"details\" an array of objects with \"appIDs\" and \"components\"."
        case .nonEmptyApps: "Name the apps in \"details\", and leave \"apps\" out or empty."
        case .ignoredPaths: "Remove \"paths\" unless the file must serve iOS 9 to 12."
        }
    }
}
