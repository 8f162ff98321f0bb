"""What the site adds to docs/: the navigation is the index's own list, and links that leave docs/ lead to the repository, if there is one."""
import posixpath
import re

LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")


def on_config(config):
    nav = [{"Start": "README.md"}]
    with open(posixpath.join(config["docs_dir"], "README.md"), encoding="utf-8") as index:
        for line in index:
            if line.startswith("## "):
                nav.append({line[3:].strip(): []})
            elif isinstance(list(nav[-1].values())[0], list):
                pages = list(nav[-1].values())[0]
                pages.extend({text.capitalize() if text.islower() else text: page} for text, page in LINK.findall(line)
                             if page.endswith(".md") and not page.startswith("../"))
    config["nav"] = nav
    return config


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname(page.file.src_uri)

    def outside(match):
        text, target = match.groups()
        path, _, anchor = target.partition("#")
        if "://" in target or not path:
            return match.group(0)
        place = posixpath.normpath(posixpath.join("docs", folder, path))
        if place.startswith("docs/") and not place.startswith("docs/matrix"):
            return match.group(0)
        if not config["repo_url"]:
            return text
        return f"[{text}]({config['repo_url']}/blob/main/{place}{'#' + anchor if anchor else ''})"

    return LINK.sub(outside, markdown)
