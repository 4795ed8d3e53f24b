import Glibc

/// Debian's PCRE2, if it is installed. It is loaded at run time, so its headers are not needed.
struct PCRE2 {
    typealias Code = OpaquePointer

    private typealias Compile =
        @convention(c) (
            UnsafePointer<UInt8>, Int, UInt32, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int>, OpaquePointer?
        ) -> Code?
    private typealias CompileJIT = @convention(c) (Code, UInt32) -> Int32
    private typealias MakeMatchData = @convention(c) (UInt32, OpaquePointer?) -> OpaquePointer?
    private typealias Match =
        @convention(c) (Code, UnsafePointer<UInt8>, Int, Int, UInt32, OpaquePointer, OpaquePointer?) -> Int32

    private let compile: Compile
    private let compileJIT: CompileJIT
    private let matchJIT: Match
    private let matchData: OpaquePointer

    /// Loads the library. Returns `nil` if it is missing.
    init?() {
        guard let library = dlopen("libpcre2-8.so.0", RTLD_NOW),
            let compile = dlsym(library, "pcre2_compile_8"),
            let compileJIT = dlsym(library, "pcre2_jit_compile_8"),
            let matchJIT = dlsym(library, "pcre2_jit_match_8"),
            let makeMatchData = dlsym(library, "pcre2_match_data_create_8"),
            let matchData = unsafeBitCast(makeMatchData, to: MakeMatchData.self)(4, nil)
        else { return nil }
        self.compile = unsafeBitCast(compile, to: Compile.self)
        self.compileJIT = unsafeBitCast(compileJIT, to: CompileJIT.self)
        self.matchJIT = unsafeBitCast(matchJIT, to: Match.self)
        self.matchData = matchData
    }

    /// Compiles an expression with the JIT. It is anchored at both ends, and the dot matches any byte.
    func compile(_ expression: String) -> Code? {
        // PCRE2_ANCHORED, PCRE2_ENDANCHORED, PCRE2_DOTALL of pcre2.h.
        let options: UInt32 = 0x8000_0000 | 0x2000_0000 | 0x0000_0020
        var error: Int32 = 0
        var offset = 0
        let bytes = Array(expression.utf8)
        // 1: PCRE2_JIT_COMPLETE.
        guard let code = compile(bytes, bytes.count, options, &error, &offset, nil), compileJIT(code, 1) == 0 else {
            return nil
        }
        return code
    }

    func matches(_ code: Code, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress else { return false }
        return matchJIT(code, start, text.count, 0, 0, matchData, nil) >= 0
    }
}
