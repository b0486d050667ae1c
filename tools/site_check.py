#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at a site that tools/site.py has made, in Chromium without a window: tools/site_check.py DIR [SCREENSHOTS]

Every page: links lead to pages and anchors that exist, nothing comes from elsewhere, headings are in order, pictures load and have a
text, nothing is wider than a phone, and every text stands out from what is behind it, light and dark (4.5 : 1, as WCAG 2 wants).
The search finds `softmax`. With SCREENSHOTS, a folder, some pages are kept as pictures. Prints what is wrong; exit status 1.
`tools/site_check.py --links DIR` looks at links alone, without a browser.
"""
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Links(HTMLParser):
    """What a page refers to, and its anchors."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.loaded = [], set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if 'id' in attrs:
            self.anchors.add(attrs['id'])
        if tag == 'a' and 'href' in attrs:
            self.links.append(attrs['href'])
        for name in ('src', 'href'):
            if tag in ('script', 'img', 'link', 'iframe') and name in attrs:
                self.loaded.append(attrs[name])


def broken_links(root):
    pages = {path: Links(path) for path in sorted(root.rglob('*.html'))}
    for path, page in pages.items():
        where = path.relative_to(root)
        for link in page.loaded:
            if urlsplit(link).scheme not in ('', 'data'):
                yield f'{where}: loads {link}'
            elif not link.startswith('data:') and not (path.parent / unquote(urlsplit(link).path)).exists():
                yield f'{where}: loads {link}, which is not there'
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
            if not target.is_file():
                yield f'{where}: {link} leads nowhere'
            elif parts.fragment and target.suffix == '.html' and parts.fragment not in pages[root / target.relative_to(root.resolve())].anchors:
                yield f'{where}: {link}: no such place'


class Browser:
    """Chromium at the other end of two pipes, by its DevTools protocol."""

    def __init__(self):
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()
        self.profile = tempfile.TemporaryDirectory(prefix='site-check-')
        # The browser's ends are its descriptors 3 and 4.
        command = (f'exec 3<&{to_read} 4>&{to_write}; exec chromium --headless --no-sandbox --disable-gpu --hide-scrollbars '
                   f'--remote-debugging-pipe --user-data-dir={self.profile.name} --allow-file-access-from-files about:blank')
        self.process = subprocess.Popen(['bash', '-c', command], pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.session, self.events = b'', 0, None, []
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        self.call('Page.enable')

    def receive(self):
        while b'\0' not in self.buffer:
            part = os.read(self.read_end, 1 << 16)
            if not part:
                sys.exit('site_check: chromium has ended')
            self.buffer += part
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b'\0')
        while True:
            answer = self.receive()
            if answer.get('id') == self.number:
                if 'error' in answer:
                    sys.exit(f'site_check: {method}: {answer["error"]["message"]}')
                return answer['result']
            self.events.append(answer.get('method'))

    def open(self, url, width, dark):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])
        self.events.clear()
        self.call('Page.navigate', url=url)
        while 'Page.loadEventFired' not in self.events:
            self.events.append(self.receive().get('method'))

    def run(self, script):
        answer = self.call('Runtime.evaluate', expression=script, awaitPromise=True, returnByValue=True)
        if 'exceptionDetails' in answer:
            sys.exit(f'site_check: {answer["exceptionDetails"]["exception"]["description"]}')
        return answer['result'].get('value')

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.call('Page.captureScreenshot')['data']))

    def close(self):
        os.close(self.write_end)
        self.process.wait(timeout=30)
        self.profile.cleanup()


# What is wrong with the page that is open, as a list of texts.
INSPECT = r'''(async () => {
  const wrong = [];
  const levels = [...document.querySelectorAll('main h1, main h2, main h3, main h4, main h5, main h6')].map((h) => [+h.tagName[1], h.textContent]);
  if (levels.filter(([l]) => l === 1).length !== 1) wrong.push('not one h1');
  levels.forEach(([l, text], i) => { if (i && l > levels[i - 1][0] + 1) wrong.push(`h${l} behind h${levels[i - 1][0]}: ${text}`); });
  for (const img of document.images) {
    img.loading = 'eager';
    await img.decode().catch(() => 0);
    if (!img.naturalWidth) wrong.push('picture does not load: ' + img.getAttribute('src'));
    if (!img.alt) wrong.push('picture without a text: ' + img.getAttribute('src'));
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) {
    const wide = [...document.querySelectorAll('main *')].find((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.closest('pre, .table'));
    wrong.push(`wider than the window: ${document.documentElement.scrollWidth} ${wide ? wide.outerHTML.slice(0, 120) : ''}`);
  }
  const channels = (c) => c.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
      .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = channels(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const seen = new Set();
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || /SCRIPT|STYLE/.test(e.tagName)) continue;
    const front = getComputedStyle(e).color, back = behind(e), key = front + back;
    if (seen.has(key)) continue;
    seen.add(key);
    const [a, b] = [light(channels(front)), light(back)].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) wrong.push(`contrast ${((a + 0.05) / (b + 0.05)).toFixed(2)}: ${e.outerHTML.slice(0, 100)}`);
  }
  return wrong;
})()'''

SEARCH = r'''(async () => {
  const input = document.getElementById('search');
  input.value = 'softmax';
  input.dispatchEvent(new Event('input'));
  for (let i = 0; i < 100 && !document.querySelector('#found a'); ++i) await new Promise((done) => setTimeout(done, 50));
  return [...document.querySelectorAll('#found a')].map((a) => [a.firstChild.textContent, a.getAttribute('href')]);
})()'''


def finish(pages, wrong):
    for text in wrong:
        print(text)
    print(f'{len(pages)} pages, {len(wrong)} findings')
    sys.exit(1 if wrong else 0)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    root = Path(sys.argv[2 if sys.argv[1] == '--links' else 1]).resolve()
    wrong = list(broken_links(root))
    pages = sorted(root.rglob('*.html'))
    if sys.argv[1] == '--links':
        finish(pages, wrong)
    browser = Browser()
    for page in pages:
        name = page.relative_to(root)
        for width, dark in ((1280, False), (390, True)):
            browser.open(page.as_uri(), width, dark)
            wrong += [f'{name} ({width} wide, {"dark" if dark else "light"}): {text}' for text in browser.run(INSPECT)]
    browser.open((root / 'index.html').as_uri(), 1280, False)
    hits = browser.run(SEARCH)
    print('softmax:', ', '.join(f'{title} ({url})' for title, url in hits[:4]))
    if not any('softmax' in title.lower() and (root / re.sub('#.*', '', url)).is_file() for title, url in hits):
        wrong.append('the search does not find softmax')
    if len(sys.argv) == 3:
        folder = Path(sys.argv[2])
        folder.mkdir(parents=True, exist_ok=True)
        browser.picture(folder / 'search.png')
        for name, width, dark in (('index', 1280, False), ('docs/guide/introduction', 1280, True), ('docs/guide/arrays', 390, False),
                                  ('docs/gallery', 1280, False), ('docs/performance', 390, True)):
            if (root / (name + '.html')).exists():
                browser.open((root / (name + '.html')).as_uri(), width, dark)
                browser.picture(folder / f'{name.replace("/", "_")}_{width}_{"dark" if dark else "light"}.png')
    browser.close()
    finish(pages, wrong)


if __name__ == '__main__':
    main()
