"""Pages in headless Chromium: what a script in them tells, and what the console complains of."""

import html
import re
import shutil
import subprocess

import pytest

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium; scripts/test viewers installs it")


def visit(page, folder, script, size=(1200, 800), milliseconds=1000):
    """Opens a page (its text) and runs a script at its end; (what it gives to tell(), complaints)."""
    asked = f"""<script>{{
const told = document.createElement("pre");
told.id = "told";
told.hidden = true;
document.body.append(told);
const tell = text => {{ told.textContent += text + "\\n"; }};
{script}
}}</script></body>"""
    folder.mkdir(exist_ok=True)
    file = folder / "page.html"
    assert page.count("</body>") == 1
    file.write_text(page.replace("</body>", asked), encoding="utf-8")
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu",
         f"--user-data-dir={folder / 'profile'}", f"--window-size={size[0]},{size[1]}",
         f"--virtual-time-budget={milliseconds}", "--enable-logging=stderr", "--dump-dom",
         file.as_uri()], capture_output=True, text=True, timeout=120)
    told = re.search(r'<pre id="told"[^>]*>(.*?)</pre>', done.stdout, re.S)
    return (html.unescape(told.group(1)).splitlines() if told else [],
            [line for line in done.stderr.splitlines() if ":CONSOLE" in line])
