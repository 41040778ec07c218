"""Visit a hub as a person does: the login form, then a server of one's own, over HTTP."""

import asyncio
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect


class Visitor:
    """Somebody at the hub, with the cookies of one browser."""

    def __init__(self, hub: str, name: str):
        self.hub = hub
        self.name = name
        self.token = ""
        self.jar = CookieJar()
        self.browser = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.jar), urllib.request.ProxyHandler({})
        )

    def ask(
        self,
        method: str,
        path: str,
        data: Any = None,
        *,
        form: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, Any]:
        """Return the status of an answer, and what it says."""
        body, said = None, dict(headers or {})
        if form is not None:
            body = urllib.parse.urlencode(form).encode()
        elif data is not None:
            body = json.dumps(data).encode()
            said.setdefault("Content-Type", "application/json")
        if self.token:
            said.setdefault("Authorization", f"token {self.token}")
        url = path if path.startswith("http") else self.hub + path
        request = urllib.request.Request(url, body, said, method=method)
        try:
            with self.browser.open(request, timeout=120) as answer:
                return answer.status, _content(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _content(error)

    def log_in(self, password: str) -> bool:
        """Fill in the form; then take a token, as a page does, for all that follows."""
        self.ask("GET", "/hub/login")
        form = {"username": self.name, "password": password, "_xsrf": self.xsrf()}
        status, _ = self.ask("POST", "/hub/login?next=%2Fhub%2Fhome", form=form)
        if status != 200:
            return False
        status, made = self.ask(
            "POST",
            f"/hub/api/users/{self.name}/tokens",
            {"note": "work"},
            headers={"X-XSRFToken": self.xsrf(), "Referer": f"{self.hub}/hub/home"},
        )
        assert status == 201, made
        self.token = made["token"]
        return True

    def xsrf(self) -> str:
        """Return the cookie that forms carry too."""
        return next(cookie.value for cookie in self.jar if cookie.name == "_xsrf")

    def start(self, seconds: float = 300) -> None:
        """Start a server, when there is room, and wait until it answers."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            status, said = self.ask("POST", f"/hub/api/users/{self.name}/server")
            if status in (201, 202):
                break
            assert status in (400, 429, 503), (status, said)  # pending, or no room yet
            time.sleep(1)
        while time.monotonic() < deadline:
            status, about = self.ask("GET", f"/hub/api/users/{self.name}")
            server = about.get("servers", {}).get("")
            if server and server["ready"]:
                return
            assert server is not None, f"the server of {self.name} does not start"
            time.sleep(0.5)
        raise AssertionError(f"{self.name} has no server after {seconds:.0f} s")

    def stop(self) -> None:
        """End the server, and wait until it is gone."""
        status, said = self.ask("DELETE", f"/hub/api/users/{self.name}/server")
        assert status in (202, 204), said
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            _, about = self.ask("GET", f"/hub/api/users/{self.name}")
            if not about.get("servers", {}).get(""):
                return
            time.sleep(0.3)
        raise AssertionError(f"the server of {self.name} does not end")

    def mine(self, method: str, path: str, data: Any = None, **options: Any) -> tuple[int, Any]:
        """Ask the own server."""
        return self.ask(method, f"/user/{self.name}/{path}", data, **options)

    def fetch(self, homework: str) -> Any:
        """Fetch a homework, as nbgrader's list of assignments does."""
        return self._assignments("fetch", homework)

    def submit(self, homework: str) -> Any:
        """Hand in a homework, likewise."""
        return self._assignments("submit", homework)

    def fetch_feedback(self, homework: str) -> Any:
        """Fetch what came back, likewise."""
        return self._assignments("fetch_feedback", homework)

    def _assignments(self, what: str, homework: str) -> Any:
        form = {"course_id": "halfspaces", "assignment_id": homework}
        status, said = self.mine("POST", f"assignments/{what}", form=form)
        assert status == 200, (status, said)
        return said

    def read(self, path: str) -> Any:
        """Return the content of a file in the own home, or nothing."""
        status, said = self.mine("GET", f"api/contents/{urllib.parse.quote(path)}?content=1")
        return said["content"] if status == 200 else None

    def write(self, path: str, content: Any, kind: str = "notebook") -> None:
        """Save a file in the own home, as JupyterLab does."""
        model = {"type": kind, "content": content}
        if kind == "file":
            model["format"] = "text"
        status, said = self.mine("PUT", f"api/contents/{urllib.parse.quote(path)}", model)
        assert status in (200, 201), said

    def execute(self, code: str, seconds: float = 120) -> str:
        """Run code in a kernel of the own server; return what it prints."""
        status, kernel = self.mine("POST", "api/kernels", {"name": "python3"})
        assert status == 201, kernel
        try:
            return asyncio.run(asyncio.wait_for(self._execute(kernel["id"], code), seconds))
        finally:
            self.mine("DELETE", f"api/kernels/{kernel['id']}")

    async def _execute(self, kernel: str, code: str) -> str:
        path = f"/user/{self.name}/api/kernels/{kernel}/channels"
        address = self.hub.replace("http:", "ws:") + path
        headers = {"Authorization": f"token {self.token}"}
        socket = await websocket_connect(HTTPRequest(address, headers=headers))
        about = {"msg_id": "1", "msg_type": "execute_request", "session": "1", "version": "5.3"}
        content = {"code": code, "silent": False, "store_history": False}
        request = {"header": about | {"username": self.name, "date": ""}, "content": content}
        request |= {"channel": "shell", "parent_header": {}, "metadata": {}, "buffers": []}
        await socket.write_message(json.dumps(request))
        try:
            return await self._answer(socket)
        finally:
            socket.close()
            while await socket.read_message() is not None:
                pass  # until the other side has closed too

    async def _answer(self, socket: Any) -> str:
        said = []
        while True:
            message = json.loads(await socket.read_message())
            kind, content = message["msg_type"], message["content"]
            if kind == "stream" and content["name"] == "stdout":
                said.append(content["text"])
            if kind == "error":
                raise AssertionError("\n".join(content["traceback"]))
            is_ours = message["parent_header"].get("msg_id") == "1"
            if is_ours and kind == "status" and content["execution_state"] == "idle":
                return "".join(said)


def _content(answer: Any) -> Any:
    text = answer.read().decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        return text
