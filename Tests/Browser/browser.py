"""Chromium without a window, told what to do over a pipe (the DevTools protocol); standard library only."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    """One page in a browser with a profile of its own, which goes with it."""

    def __init__(self, width=1200, height=900):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if program is None:
            raise SystemExit("no chromium: scripts/bootstrap.sh --tests installs it")
        self.profile = tempfile.mkdtemp(prefix="lookahead-browser-")
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        arguments = [
            program, "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-sync",
            "--disable-component-update", "--hide-scrollbars", "--force-color-profile=srgb",
            f"--user-data-dir={self.profile}", f"--window-size={width},{height}",
            # The root of a container has no sandbox to make; the page is our own file.
            *(["--no-sandbox"] if os.geteuid() == 0 else []), "about:blank",
        ]

        # High numbers first, since 3 and 4 may be in use by the pipes themselves.
        script = f'exec 8<&{commands} 9>&{answers}; exec 3<&8 4>&9 8<&- 9>&-; exec "$@"'
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", script, "browser", *arguments], pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        """Waits for the answer; what else is told meanwhile is kept in `events`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            answer = self.read()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def read(self, seconds=60):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.answers], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def open(self, url):
        """Loads a page and waits until it is there."""
        seen = len(self.events)
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events[seen:]):
            self.events.append(self.read())

    def value(self, expression):
        """What an expression of the page comes to."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def press(self, key):
        for kind in ["keyDown", "keyUp"]:
            text = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            codes = {"Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key], **text)

    def look(self, scheme="light", width=1200, media="", scripts=True):
        """Colours, width and medium of the next pages."""
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)

    def faults(self):
        """Errors, exceptions and warnings so far, and every request that is not of a file or of the page itself."""
        found = []
        for event in self.events:
            method, told = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(str(told["exceptionDetails"]))
            elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
                found.append(str(told["args"]))
            elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
                found.append(told["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = told["request"]["url"]
                if not url.startswith(("file:", "data:", "blob:", "about:")):
                    found.append(f"asked for {url}")
        return found
