"""How a server of the tests starts and ends: the port is the first line of output, the end is that of standard input."""

import argparse
import os
import socket
import threading


def arguments(description):
    """Where to listen, and until when."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--port", type=int, default=0, help="where to listen on 127.0.0.1; 0 finds a free one")
    parser.add_argument("--follow-stdin", action="store_true", help="end when standard input does")
    return parser.parse_args()


def listening(port):
    """A socket that listens on 127.0.0.1."""
    return socket.create_server(("127.0.0.1", port), backlog=256)


def announce(given, port, out=None):
    """Prints the port, and ends the process when standard input does."""
    print(port, file=out, flush=True)
    if given.follow_stdin:
        threading.Thread(target=follow_stdin, daemon=True).start()


def follow_stdin():
    while os.read(0, 65536):
        pass
    os._exit(0)


def serve_wsgi(given, application):
    """Serves a WSGI application with Waitress until the end."""
    from waitress.server import create_server

    accepting = listening(given.port)
    server = create_server(application, sockets=[accepting], threads=4)
    announce(given, accepting.getsockname()[1])
    server.run()
