#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a website of the documents: tools/site.py OUTDIR

Pages stand by themselves: one style sheet, one script of our own, an index to search, nothing from elsewhere. OUTDIR may be opened
from a disk or be copied to any server. Needs Python 3 alone.
"""
import html
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / 'site'))
from markdown import Page, coloured  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
PARTS = Path(__file__).resolve().parent / 'site'
# The pages beside every other page, in their order; all other documents are there, too, and are found by links and the search.
MENU = [
    ('', ['README.md', 'docs/install.md', 'docs/gallery.md', 'examples/README.md', 'docs/performance.md']),
    ('Guide', ['docs/guide/README.md', 'docs/guide/introduction.md', 'docs/guide/training.md', 'docs/guide/recurrent.md', 'docs/guide/gpu.md', 'docs/guide/several_gpus.md',
               'docs/guide/parallel.md', 'docs/guide/functions.md', 'docs/guide/type_checks.md', 'docs/guide/arrays.md',
               'docs/guide/kernels.md', 'docs/guide/memory.md', 'docs/guide/speed.md', 'docs/guide/coming_from.md',
               'docs/guide/contributing.md']),
    ('Libraries', ['cupyxx/README.md', 'chainerxx/README.md', 'typecheck/README.md', 'gradcheck/README.md']),
    ('Reference', ['docs/numpy.md', 'docs/ops.md', 'docs/reference/cupyxx.md', 'docs/reference/chainerxx.md',
                   'docs/reference/typecheck.md', 'docs/reference/gradcheck.md', 'docs/precision.md', 'docs/layout.md']),
    ('Project', ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/decisions.md', 'docs/status.md', 'docs/reliability.md']),
]
TITLES = {'README.md': 'Start', 'docs/install.md': 'Install', 'cupyxx/README.md': 'cupyxx', 'chainerxx/README.md': 'chainerxx',
          'typecheck/README.md': 'typecheck', 'gradcheck/README.md': 'gradcheck', 'docs/reference/cupyxx.md': 'cupyxx, all names',
          'docs/reference/chainerxx.md': 'chainerxx, all names', 'docs/reference/typecheck.md': 'typecheck, all names',
          'docs/reference/gradcheck.md': 'gradcheck, all names', 'docs/guide/README.md': 'Overview'}
PICTURES = ('.svg', '.png', '.jpg')


def tracked():
    names = subprocess.run(['git', '-C', ROOT, 'ls-files', '--cached', '--others', '--exclude-standard'], check=True,
                           capture_output=True, text=True).stdout.split('\n')
    return {name for name in names if name and (ROOT / name).is_file()}


def address(source):
    """Where the page of a document lies: README.md of a folder is its index."""
    folder, name = posixpath.split(source)
    if name == 'README.md':
        return posixpath.join(folder, 'index.html')
    return source[:-3] + '.html' if source.endswith('.md') else source + '.html'


class Site:
    def __init__(self, out):
        self.out, self.files = out, tracked()
        self.folders = {str(parent) for name in self.files for parent in Path(name).parents}
        self.titles, self.index, self.to_show, self.missing = {}, [], set(), []

    def target(self, page, link):
        """What the site has for a link of a page."""
        if re.match(r'[a-z]+:', link) or link.startswith('#'):
            return link
        path, _, anchor = link.partition('#')
        name = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        here = posixpath.dirname(address(page))
        if name in self.folders and name + '/README.md' in self.files:
            name += '/README.md'
        if name in self.files and (name.endswith(PICTURES) or b'\0' in (ROOT / name).read_bytes()[:4096]):
            self.copy(name)
            found = name
        elif name in self.files or name in self.folders:
            if not name.endswith('.md'):
                self.to_show.add(name)
            found = address(name)
        else:
            self.missing.append(f'{page}: {link}')
            return '#'
        return posixpath.relpath(found, here or '.') + ('#' + anchor if anchor else '')

    def copy(self, name):
        (self.out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, self.out / name)

    def write(self, source, title, body):
        where = address(source)
        root = posixpath.relpath('.', posixpath.dirname(where) or '.') + '/'
        menu = []
        for heading, pages in MENU:
            items = []
            for page in pages:
                if page not in self.files:
                    continue
                mark = ' aria-current="page"' if page == source else ''
                items.append(f'<li><a href="{posixpath.relpath(address(page), posixpath.dirname(where) or ".")}"{mark}>'
                             f'{html.escape(self.titles[page])}</a></li>')
            menu.append((f'<h2>{heading}</h2>' if heading else '') + '<ul>' + ''.join(items) + '</ul>')
        text = f'''<!doctype html>
<html lang="en" data-root="{root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)} - cupyxx and chainerxx</title>
<link rel="stylesheet" href="{root}style.css">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#main">to the text</a>
<header><a href="{root}index.html">cupyxx &amp; chainerxx</a>
<form role="search"><input id="search" type="search" placeholder="search" aria-label="search" title="or press /" autocomplete="off">
<ul id="found" hidden></ul></form></header>
<div class="frame">
<nav aria-label="pages"><details open><summary>All pages</summary>{''.join(menu)}</details></nav>
<main id="main">
{body}
<footer>Made from <code>{html.escape(source)}</code>. MIT licence.</footer>
</main>
</div>
<script src="{root}search.js"></script>
</body>
</html>
'''
        (self.out / where).parent.mkdir(parents=True, exist_ok=True)
        (self.out / where).write_text(text)

    def document(self, source):
        page = Page((ROOT / source).read_text(), lambda link: self.target(source, link))
        self.write(source, self.titles[source], page.body)
        is_reference = source.startswith('docs/reference/')
        for anchor, heading, texts in page.sections:
            url = address(source) + ('#' + anchor if anchor else '')
            if is_reference and len(texts) > 1:  # each name by itself
                for text in texts:
                    self.names(source, url, text)
                continue
            plain = re.sub(r'\s+', ' ', re.sub(r'[`*|]|\]\([^)]*\)|\[', ' ', ' '.join(texts))).strip()
            if heading or plain:
                weight = 6 if source.startswith('docs/guide/') else 2
                self.index.append({'title': heading or self.titles[source], 'page': self.titles[source], 'url': url,
                                   'plain': plain[:1500], 'weight': weight})

    def names(self, source, url, text):
        """An entry for a line of the reference: what is declared, and what is said of it."""
        match = re.match(r'`(.+?)` *(.*)', text)
        if not match or ' operator' in match.group(1):
            return
        declared = re.sub(r'^template <.*?> (?=\w)', '', match.group(1))
        name = re.search(r'(\w+)(?=\()|(\w+)(?= =|$|\{)', re.sub(r'^(class|struct|enum class|using) (\w+).*', r'\2', declared))
        if name and (not self.index or self.index[-1]['title'] != name.group() or self.index[-1]['url'] != url):
            self.index.append({'title': name.group(), 'page': self.titles[source], 'url': url,
                               'plain': (match.group(2) or declared).replace('`', '')[:160], 'weight': 4})

    def file(self, name):
        """A source that a document links to, or the list of a folder."""
        path = ROOT / name
        if path.is_dir():
            inside = sorted({f[len(name) + 1:].split('/')[0] for f in self.files if f.startswith(name + '/')})
            self.to_show.update(f'{name}/{f}' for f in inside if f'{name}/{f}' in self.files and not f.endswith('.md') and b'\0' not in (path / f).read_bytes()[:4096])
            items = ''.join(f'<li><a href="{posixpath.basename(name)}/{posixpath.basename(address(f))}">{html.escape(f)}</a></li>'
                            for f in inside if f'{name}/{f}' in self.to_show)
            body = f'<ul>{items}</ul>'
        else:
            text = path.read_text(errors='replace')
            body = f'<pre tabindex="0"><code>{coloured(text) if name.endswith((".cc", ".h")) else html.escape(text)}</code></pre>'
        self.write(name, name, f'<h1>{html.escape(name)}</h1>\n{body}')

    def make(self):
        documents = sorted(f for f in self.files if f.endswith('.md') and '/testdata/' not in f and not f.startswith('third_party/'))
        for source in documents:
            first = re.search(r'^# (.*)', (ROOT / source).read_text(), re.M)
            self.titles[source] = TITLES.get(source) or re.sub('[`*]', '', first.group(1) if first else source)
        for source in documents:
            self.document(source)
        shown = set()
        while self.to_show - shown:
            for name in sorted(self.to_show - shown):
                shown.add(name)
                self.file(name)
        for part in ('style.css', 'search.js'):
            shutil.copyfile(PARTS / part, self.out / part)
        (self.out / 'index.js').write_text('siteIndex(' + json.dumps(self.index, ensure_ascii=False, separators=(',', ':')) + ')\n')
        return len(documents), len(shown)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    site = Site(out)
    documents, sources = site.make()
    for link in site.missing:
        print(f'no such file: {link}', file=sys.stderr)
    print(f'{out}/index.html: {documents} documents, {sources} sources, {len(site.index)} entries to search, '
          f'{os.path.getsize(out / "index.js") // 1024} KiB of index')
    sys.exit(1 if site.missing else 0)


if __name__ == '__main__':
    main()
