/// Snippets for web servers.
extension ServerSnippets {
    /// The path of the certificate authorities' file on Debian. It differs on other systems.
    private static let authorities = "/etc/ssl/certs/ca-certificates.crt"

    var nginx: Recipe {
        let verification =
            edge.isSecure
            ? """

                proxy_ssl_server_name on;
                proxy_ssl_verify on;
                proxy_ssl_verify_depth 3;
                proxy_ssl_trusted_certificate \(Self.authorities);
            """ : ""
        let text = """
            # Waymark serves the association file of \(host).
            # Other names of this server block get the same file. Give each its own block and its own snippet.
            if ($uri ~ "^/(\\.well-known/)?apple-app-site-association$") {
                break;
            }
            location = \(Self.paths[0]) {
                rewrite ^ /hosts/\(host)$uri last;
            }
            location = \(Self.paths[1]) {
                rewrite ^ /hosts/\(host)$uri last;
            }
            location ^~ /hosts/\(host)/ {
                internal;
                auth_basic off;
                allow all;
                gzip off;
                expires off;
                add_header Cache-Control "";
                error_page 599 /;
                proxy_pass \(edge);\(verification)
                proxy_http_version 1.1;
                proxy_set_header Host $proxy_host;
                proxy_set_header Connection "";
                proxy_set_header Cookie "";
                proxy_set_header Authorization "";
                proxy_cache off;
                proxy_redirect off;
                proxy_intercept_errors off;
                proxy_connect_timeout 2s;
                proxy_read_timeout 5s;
            }

            """
        return Recipe(
            name: "nginx", place: "At the top of every server block of \(host), including the one for port 80.",
            text: text,
            notes: [
                """
                Put it above every return, rewrite and if that is directly in the server block. nginx runs those in \
                order before it looks for a location.
                """,
                """
                expires, add_header and error_page in the last location keep out the website's own settings: a \
                location inherits only what it does not set itself. Nothing answers 599.
                """,
                "nginx looks up the edge's address when it starts. Reload nginx when the address changes.",
            ] + authoritiesNotes)
    }

    var caddy: Recipe {
        let text = """
            # Waymark serves the association file of \(host).
            # Other names of this site block get the same file. Give each its own block and its own snippet.
            @waymark path \(Self.paths.joined(separator: " "))
            handle @waymark {
            	rewrite * /hosts/\(host){uri}
            	reverse_proxy \(edge) {
            		header_up Host {upstream_hostport}
            		header_up -Cookie
            		header_up -Authorization
            		transport http {
            			dial_timeout 2s
            			response_header_timeout 5s
            			keepalive 20s
            			compression off
            		}
            	}
            }
            handle_errors {
            	respond @waymark "" {err.status_code}
            }

            """
        return Recipe(
            name: "Caddy", place: "At the top of the site block of \(host).", text: text,
            notes: [
                """
                Put the rest of the site into a `handle { … }` after it. Otherwise Caddy runs redir, rewrite, \
                try_files and basicauth first.
                """,
                """
                Its handle_errors prevents the site's own handle_errors from answering for these paths while the edge \
                is unreachable. The site's own must come after it. Since Caddy 2.8, a handle_errors with status codes \
                or a matcher can run first at any position: exclude these two paths from it.
                """,
                """
                Caddy redirects http to https automatically. If http must answer too, add a block \
                `http://\(host) { … }` with the same lines and `handle { redir https://{host}{uri} }`.
                """,
            ])
    }

    var apache: Recipe {
        let verification =
            edge.isSecure
            ? """

                SSLProxyEngine on
                SSLProxyVerify require
                SSLProxyVerifyDepth 3
                SSLProxyCACertificateFile \(Self.authorities)
            """ : ""
        let text = """
            # Waymark serves the association file of \(host).
            # Other names of this <VirtualHost> get the same file. Give each its own <VirtualHost> and its own snippet.
            RewriteEngine on
            RewriteRule "^(/(?:\\.well-known/)?apple-app-site-association)$" "\(target)$1" [P]
            <Proxy "\(edge)/">\(verification)
                ProxySet connectiontimeout=2 timeout=5 retry=0
            </Proxy>
            <LocationMatch "^/(?:\\.well-known/)?apple-app-site-association$">
                AuthType None
                Require all granted
                ProxyPreserveHost Off
                ProxyErrorOverride Off
                RequestHeader unset Cookie
                RequestHeader unset Authorization
                SetEnv no-gzip 1
                SetEnv no-brotli 1
                ErrorDocument 500 default
                ErrorDocument 502 default
                ErrorDocument 503 default
                ErrorDocument 504 default
                <IfModule mod_expires.c>
                    ExpiresActive Off
                </IfModule>
            </LocationMatch>

            """
        let modules = "rewrite proxy proxy_http headers" + (edge.isSecure ? " ssl" : "")
        return Recipe(
            name: "Apache", place: "At the top of every <VirtualHost> of \(host), including the one for port 80.",
            text: text,
            notes: [
                "It needs these modules: `a2enmod \(modules)`.",
                """
                Put it above every other RewriteRule. A Redirect inside a <Location> or <Directory> still comes first. \
                Move it directly into the <VirtualHost>.
                """,
                """
                A Header directive of the <VirtualHost> or the server that sets Cache-Control applies here too. Move \
                it into a <Directory>, which does not apply to these paths.
                """,
            ] + authoritiesNotes)
    }

    private var authoritiesNotes: [String] {
        edge.isSecure
            ? ["\(Self.authorities) is Debian's file of certificate authorities. Other systems have another one."] : []
    }
}
