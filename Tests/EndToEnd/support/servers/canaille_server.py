"""Runs Canaille, a real OpenID Connect provider, with a client and a person. `run()` starts it in its own process."""

import json
import logging
import os
import socket
import subprocess
import sys
from contextlib import contextmanager

CLIENT, SECRET, LOGIN, PASSWORD, EMAIL = "waymark", "a client's secret", "grace", "seven quiet rivers bend", "grace@company.example"


@contextmanager
def run(redirect_uri):
    """The address of a running provider that returns people to `redirect_uri`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, __file__, str(port), redirect_uri], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield json.loads(process.stdout.readline())["issuer"]
    finally:
        process.kill()
        process.wait()


def serve(port, redirect_uri):
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    from datetime import UTC, datetime

    from canaille import create_app
    from canaille.app import models
    from canaille.backends import Backend
    from joserfc.jwk import JWKRegistry
    from werkzeug.serving import make_server

    issuer = f"http://localhost:{port}"
    key = JWKRegistry.generate_key("RSA", 2048)
    key.ensure_kid()
    configuration = {
        "ENV_FILE": None,
        "SECRET_KEY": os.urandom(16).hex(),
        "PREFERRED_URL_SCHEME": "http",
        "SERVER_NAME": f"localhost:{port}",
        "CANAILLE": {
            "DATABASE": "memory",
            "JAVASCRIPT": False,
            "ACL": {"DEFAULT": {"PERMISSIONS": ["use_oidc", "edit_self"], "READ": ["user_name"], "WRITE": []}},
        },
        "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.as_dict(private=True)]},
    }
    app = create_app(configuration)
    logging.disable()
    with app.app_context():
        person = models.User(
            user_name=LOGIN, family_name="Hopper", given_name="Grace", formatted_name="Grace Hopper", emails=[EMAIL],
            password=PASSWORD,
        )
        Backend.instance.save(person)
        client = models.Client(
            client_id=CLIENT, client_secret=SECRET, client_name="Waymark", redirect_uris=[redirect_uri],
            grant_types=["authorization_code"], response_types=["code"], scope=["openid", "email", "profile"],
            token_endpoint_auth_method="client_secret_basic", id_token_signed_response_alg="RS256", client_id_issued_at=datetime.now(UTC),
            client_uri="http://localhost",
        )
        Backend.instance.save(client)
        client.audience = [client]
        Backend.instance.save(client)
    server = make_server("localhost", port, app, threaded=True)
    print(json.dumps({"issuer": issuer}), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2])
