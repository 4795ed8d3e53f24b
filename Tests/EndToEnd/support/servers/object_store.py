"""An S3-compatible object store that checks signatures and rights. It is moto's server in its own process."""

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import boto3
import botocore.config
import httpx

from installation import eventually, free_port

REGION = "eu-central-1"
PATHS = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]
TYPE, CACHE = "application/json", "public, max-age=300, stale-if-error=604800"


class ObjectStore:
    """A store with one user and one valid key pair."""

    def __init__(self):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()
        iam = self._client("iam", "setup", "setup")
        iam.create_user(UserName="waymark")
        pair = iam.create_access_key(UserName="waymark")["AccessKey"]
        self.key, self.secret = pair["AccessKeyId"], pair["SecretAccessKey"]
        policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
        iam.put_user_policy(UserName="waymark", PolicyName="all", PolicyDocument=json.dumps(policy))
        self.check_signatures(True)
        self.s3 = self._client("s3", self.key, self.secret)

    def _client(self, service, key, secret):
        config = botocore.config.Config(retries={"max_attempts": 1}, s3={"addressing_style": "path"})
        return boto3.client(
            service, endpoint_url=self.url, region_name=REGION, aws_access_key_id=key, aws_secret_access_key=secret,
            config=config,
        )

    def start(self):
        command = [Path(sys.executable).parent / "moto_server", "-H", "127.0.0.1", "-p", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(lambda: httpx.get(f"{self.url}/moto-api/").status_code == 200, 60, what="an object store")

    def check_signatures(self, on):
        answer = httpx.post(f"{self.url}/moto-api/reset-auth", content=b"0" if on else b"inf")
        assert answer.status_code == 200, answer.text

    def new_bucket(self, name):
        self.s3.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})
        return name

    def get(self, bucket, key):
        """The object at a key as boto3 returns it, with its bytes as `Bytes`. None if it does not exist."""
        try:
            found = self.s3.get_object(Bucket=bucket, Key=key)
        except self.s3.exceptions.NoSuchKey:
            return None
        return found | {"Bytes": found["Body"].read()}

    def keys(self, bucket):
        """The keys of all objects, in order."""
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket=bucket)
        return [found["Key"] for page in pages for found in page.get("Contents", [])]

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def remove(self):
        self.process.kill()
        self.process.wait()


@contextmanager
def object_store():
    store = ObjectStore()
    try:
        yield store
    finally:
        store.remove()


@contextmanager
def hanging_endpoint():
    """Starts a server that accepts connections and never responds. Yields its address."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        kept = []

        def accept():
            while True:
                try:
                    kept.append(listener.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        for connection in kept:
            connection.close()


@contextmanager
def way_to(store, takes=0.0, refuses=lambda method, headers: False):
    """Starts a proxy for the store, and yields its address. It delays each request by `takes` seconds. It responds with
    501 if `refuses` returns true for the request."""

    class Way(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def pass_on(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            time.sleep(takes)
            if refuses(self.command, self.headers):
                return self.send(501, {}, b"<Error><Code>NotImplemented</Code></Error>")
            answer = onward.request(self.command, store.url + self.path, headers=dict(self.headers), content=body)
            self.send(answer.status_code, answer.headers, answer.content)

        do_GET = do_PUT = do_DELETE = pass_on

        def send(self, status, headers, body):
            self.send_response_only(status)
            for name, value in headers.items():
                if name not in ("content-length", "connection", "transfer-encoding"):
                    self.send_header(name, value)
            if status != 204:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with httpx.Client(timeout=30) as onward, ThreadingHTTPServer(("127.0.0.1", 0), Way) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def configure(waymark, *buckets):
    """Writes the buckets file and a credentials file for each bucket. Returns the setting with the path of the buckets
    file."""
    entries = []
    for name, endpoint, bucket, key, secret, *more in buckets:
        (waymark.directory / f"{name}.credentials").write_text(f"{key}\n{secret}\n")
        entries.append({
            "name": name, "endpoint": endpoint, "region": REGION, "bucket": bucket, "style": "path",
            "credentialsFile": f"{name}.credentials", "comparisonSeconds": 1, **(more[0] if more else {}),
        })
    path = waymark.directory / "buckets.json"
    path.write_text(json.dumps({"buckets": entries}))
    return {"WAYMARK_BUCKETS_FILE": str(path)}


def state(waymark, host, name="main"):
    """The API's report on a host's file in a bucket, or None."""
    found = waymark.api("GET", f"/v1/domains/{host}/serving").json()["buckets"]
    return next((bucket for bucket in found if bucket["name"] == name), None)


def eventually_state(waymark, host, wanted, name="main", seconds=30):
    def is_so():
        bucket = state(waymark, host, name)
        return bucket if bucket and bucket["state"] == wanted else None

    return eventually(is_so, seconds, what=f"{wanted} {name} for {host}")
