"""A web service and a mail relay that really listen, and remember what they were told."""

import base64
import hashlib
import hmac
import json
import socketserver
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver:
    """A webhook's other end; `refuse` holds the answers it gives before it says 204."""

    def __init__(self, key=b"k" * 32, *, tls=None):
        """`tls`: the server's side of a context; then it speaks nothing else."""
        self.key = key
        self.told = []  # (headers, object), in order
        self.forged = 0
        self.refuse = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                length = int(self.headers["Content-Length"])
                body = self.rfile.read(length)
                if len(body) < length:
                    return  # its sender was killed in mid-sentence: nothing was said
                status = outer.refuse.pop(0) if outer.refuse else 204
                if status == 204:
                    outer.take(self.headers, body)
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "http://127.0.0.1:9/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # likewise
        if tls is not None:
            self._server.socket = tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        scheme = "http" if tls is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self._server.server_port}/dlp?from=test"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def take(self, headers, body):
        time, _, mac = headers["Dlp-Signature"].removeprefix("t=").partition(",v1=")
        right = hmac.new(self.key, time.encode() + b"." + body, hashlib.sha256).hexdigest()
        if hmac.compare_digest(mac, right):
            self.told.append((headers, json.loads(body)))
        else:
            self.forged += 1

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Relay:
    """Enough of RFC 5321 to take a message, or to refuse it with one of the answers given.

    With `tls` it offers STARTTLS (RFC 3207) and then AUTH; `heard` is all that came in the clear.
    """

    def __init__(self, *, tls=None, port=0):
        self.messages = []
        self.refuse = []
        self.heard = []
        self.signed_in = []
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                self.secret = False
                self.say("220 relay")
                while line := self.rfile.readline():
                    verb = line.split()[0].upper() if line.split() else b""
                    if not self.secret:
                        outer.heard.append(verb.decode())
                    if verb == b"EHLO" and tls is not None:
                        self.say(f"250-relay\r\n250 {'AUTH PLAIN' if self.secret else 'STARTTLS'}")
                    elif verb == b"STARTTLS":
                        self.say("220 go on")
                        self.hide()
                    elif verb == b"AUTH":
                        outer.signed_in.append(base64.b64decode(line.split()[2]).split(b"\0")[1:])
                        self.say("235 known")
                    elif verb == b"DATA":
                        self.say("354 go on")
                        text = b"".join(iter(self.rfile.readline, b".\r\n"))
                        answer = outer.refuse.pop(0) if outer.refuse else None
                        if answer is None:
                            outer.messages.append(text.decode())
                        self.say(answer or "250 kept")
                    elif verb == b"QUIT":
                        self.say("221 bye")
                        return
                    else:
                        self.say("250 well")

            def hide(self):
                self.request = tls.wrap_socket(self.request, server_side=True)
                self.setup()
                self.secret = True

            def finish(self):
                super().finish()
                self.request.close()  # the one that TLS put in the place of the server's

            def say(self, line):
                self.wfile.write(line.encode() + b"\r\n")

        self._server = socketserver.ThreadingTCPServer(
            ("127.0.0.1", port), Handler, bind_and_activate=False
        )
        self._server.allow_reuse_address = True
        self._server.server_bind()
        self._server.server_activate()
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # a certificate was refused
        self.address = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    __enter__ = Receiver.__enter__
    __exit__ = Receiver.__exit__
