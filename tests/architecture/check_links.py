#!/usr/bin/python3
"""Every link of the documents leads to a file that is tracked, and to a heading that is there.

    check_links.py ROOT

Headings are looked for by the names that MkDocs gives them on the site and by those that GitHub gives
them on the files: a link has to work in both. Exit code 1 if one does not.
"""

import pathlib
import re
import subprocess
import sys
import unicodedata


def headings(text):
    """The words of all headings outside of code."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    for heading in re.findall(r"^#+\s+(.*)$", text, re.M):
        yield re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip()


def site_anchor(words):
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def github_anchor(words):
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def links(text):
    """Targets of all links and pictures outside of code."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    text = re.sub(r"`[^`\n]*`", "", text)
    return re.findall(r"\]\(([^)\s]+)\)", text)


def main(root):
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=root, capture_output=True, check=True, text=True).stdout
    files = {name for name in listed.split("\0") if name and (root / name).exists()}
    folders = {str(parent) for name in files for parent in pathlib.PurePath(name).parents}
    pages = {name: (root / name).read_text(encoding="utf-8")
             for name in files if name.endswith(".md")}
    anchors = {name: ({site_anchor(h) for h in headings(text)},
                      {github_anchor(h) for h in headings(text)}) for name, text in pages.items()}
    wrong = []
    for name, text in sorted(pages.items()):
        for link in links(text):
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            parts = []
            for part in (pathlib.PurePath(name).parent / target).parts:
                parts = parts[:-1] if part == ".." else [*parts, part]
            path = "/".join(parts) if target else name
            if path not in files and path not in folders:
                wrong.append(f"{name}: {link}: there is no such file")
            elif anchor and path in anchors:
                for kind, known in zip(("on the site", "on GitHub"), anchors[path]):
                    if anchor not in known:
                        wrong.append(f"{name}: {link}: no such heading {kind}")
    print("\n".join(wrong) or f"{sum(len(links(text)) for text in pages.values())} links lead "
          f"somewhere, in {len(pages)} documents")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
