/// Snippets for web servers.
extension ServerSnippets {
    /// The file of certificate authorities on Debian. Other systems have another one.
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
            # Other names of this server block get that file too: give each a block and a snippet of its own.
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
            name: "nginx", place: "At the top of every server block of \(host), that of port 80 too.", text: text,
            notes: [
                """
                It stands above any return, rewrite or if of the server block itself: nginx carries those out in their \
                order, before it looks for a location.
                """,
                """
                expires, add_header and error_page keep what the website says of these out of the last location: nginx \
                takes over only what a location says nothing of, and nobody answers 599.
                """,
                "nginx looks the edge's address up when it starts: reload it when that address changes.",
            ] + authoritiesNotes)
    }

    var caddy: Recipe {
        let text = """
            # Waymark serves the association file of \(host).
            # Other names of this site block get that file too: give each a block and a snippet of its own.
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
                Put everything else of the site into a `handle { … }` behind it: by itself Caddy would carry redir, \
                rewrite, try_files and basicauth out first.
                """,
                """
                Its handle_errors keeps one of the site's own from answering for these paths while the edge is away: \
                that one has to come behind it. From Caddy 2.8 on, one of the site's own with status codes or a matcher \
                may come first wherever it stands: except these two paths in it.
                """,
                """
                Caddy redirects http to https by itself. Where http has to answer as well, add a block \
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
            # Other names of this <VirtualHost> get that file too: give each a <VirtualHost> and a snippet of its own.
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
            name: "Apache", place: "At the top of every <VirtualHost> of \(host), that of port 80 too.", text: text,
            notes: [
                "It needs these modules: a2enmod \(modules)",
                """
                It stands above any other RewriteRule. A Redirect inside a <Location> or <Directory> still comes first: \
                move it to the level of the <VirtualHost>.
                """,
                """
                A Header of the <VirtualHost> or the server that sets Cache-Control sets it here too: put it into a \
                <Directory>, which does not hold for these paths.
                """,
            ] + authoritiesNotes)
    }

    private var authoritiesNotes: [String] {
        edge.isSecure
            ? ["\(Self.authorities) is Debian's file of certificate authorities: other systems have it elsewhere."] : []
    }
}
