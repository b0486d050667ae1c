// SPDX-License-Identifier: MIT
// Finds sections by their words. The index is fetched when somebody first types.
(() => {
  const input = document.getElementById('search'), list = document.getElementById('found');
  const root = document.documentElement.dataset.root;
  let index = null, asked = false;
  window.siteIndex = (entries) => { index = entries; search(); };
  const load = () => {
    if (asked) return;
    asked = true;
    const script = document.createElement('script');  // not fetch(): pages may be opened from a disk
    script.src = root + 'index.js';
    document.head.append(script);
  };
  // Every word must occur; in a title it counts most, at the beginning of a word more than within.
  const rate = (entry, words) => {
    let sum = 0;
    for (const word of words) {
      const title = entry.low.indexOf(word), text = entry.text.indexOf(word);
      if (title < 0 && text < 0) return 0;
      if (title >= 0) sum += 20 + (title === 0 || /\W/.test(entry.low[title - 1]) ? 10 : 0) + (entry.low.length === word.length ? 40 : 0);
      if (text >= 0) sum += 1 + (/\w/.test(entry.text[text - 1] || ' ') ? 0 : 2);
    }
    return sum + entry.weight;
  };
  const excerpt = (entry, word) => {
    const at = entry.text.indexOf(word);
    if (at < 0) return [entry.plain.slice(0, 140), '', ''];
    return [entry.plain.slice(Math.max(0, at - 50), at), entry.plain.slice(at, at + word.length), entry.plain.slice(at + word.length, at + 110)];
  };
  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.hidden = words.length === 0 || index === null;
    if (list.hidden) return;
    if (!index[0].low) for (const e of index) { e.low = e.title.toLowerCase(); e.text = e.plain.toLowerCase(); }
    const hits = index.map((e) => [rate(e, words), e]).filter((h) => h[0] > 0).sort((a, b) => b[0] - a[0]).slice(0, 30);
    list.replaceChildren(...hits.map(([, entry]) => {
      const item = document.createElement('li'), link = document.createElement('a'), note = document.createElement('small');
      link.href = root + entry.url;
      link.textContent = entry.title;
      const [before, word, after] = excerpt(entry, words[0]), mark = document.createElement('mark');
      mark.textContent = word;
      note.append(entry.page + ': ' + before, mark, after);
      link.append(note);
      item.append(link);
      return item;
    }));
    if (hits.length === 0) {
      const item = document.createElement('li');
      item.textContent = 'nothing found';
      list.replaceChildren(item);
    }
  };
  input.addEventListener('focus', load);
  input.addEventListener('input', () => { load(); search(); });
  input.form.addEventListener('submit', (event) => {
    event.preventDefault();
    const first = list.querySelector('a');
    if (first) location.href = first.href;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') list.hidden = true;
    if (event.key === '/' && document.activeElement !== input) { event.preventDefault(); input.focus(); }
  });
  document.addEventListener('click', (event) => { if (!event.target.closest('header')) list.hidden = true; });
  const asks = new URLSearchParams(location.search).get('q');
  if (asks) { input.value = asks; load(); }
  if (matchMedia('(max-width: 52rem)').matches) document.querySelector('nav details').open = false;
})();
