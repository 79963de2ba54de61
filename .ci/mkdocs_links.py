"""A hook of mkdocs: checks the links that mkdocs does not, those that leave docs/ and those of READMEs.

A link from a page to a file outside docs/ must name a file that exists; the site shows it as the
file's path, since the site does not hold the file.
"""

import logging
import pathlib
import re
import subprocess

LOG = logging.getLogger("mkdocs.hooks.links")
ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#:]+)((?:#[^)]*)?)\)")


def on_pre_build(config):
    tracked = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in tracked.stdout.split():
        page = ROOT / name
        if name.startswith("docs/") or not page.exists():
            continue
        for link in LINK.finditer(page.read_text()):
            if not (page.parent / link.group(2)).exists():
                LOG.warning("%s links to %s, which does not exist", name, link.group(2))


def on_page_markdown(markdown, page, config, files):
    source = pathlib.Path(page.file.abs_src_path)
    docs = pathlib.Path(config["docs_dir"])

    def shown(link):
        target = (source.parent / link.group(2)).resolve()
        if target.is_relative_to(docs):
            return link.group(0)
        if not target.exists():
            LOG.warning("%s links to %s, which does not exist", page.file.src_uri, link.group(2))
        path = target.relative_to(ROOT)
        return link.group(1) if str(path) in link.group(1) else f"{link.group(1)} (`{path}`)"

    return LINK.sub(shown, markdown)
