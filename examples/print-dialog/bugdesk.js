const by = id => document.getElementById(id);
const say = text => {
  by('status').textContent = text;
};

const bugs = ['Printing crashes', 'Print preview is blank', 'Bookmarks vanish', 'Menu flickers', 'Printer list is empty'];

const menus = {
  'menu-file': ['Reload', 'Close'],
  'menu-view': ['Larger text', 'Smaller text', 'Page source'],
  'menu-help': ['Contents', 'About Bugdesk'],
};

function closeMenu() {
  by('menu').hidden = true;
  for (const id of Object.keys(menus)) by(id).removeAttribute('aria-expanded');
}

for (const [id, items] of Object.entries(menus)) {
  by(id).addEventListener('click', event => {
    const open = by(id).getAttribute('aria-expanded') === 'true';
    closeMenu();
    if (open) return;
    by(id).setAttribute('aria-expanded', 'true');
    by('menu').replaceChildren(
      ...items.map(text => Object.assign(document.createElement('li'), { role: 'menuitem', textContent: text })),
    );
    by('menu').style.left = `${by(id).offsetLeft}px`;
    by('menu').hidden = false;
    event.stopPropagation();
  });
}
document.addEventListener('click', closeMenu);
by('menu').addEventListener('click', event => {
  if (event.target.textContent === 'Larger text') document.documentElement.style.fontSize = '17px';
  if (event.target.textContent === 'Smaller text') document.documentElement.style.fontSize = '13px';
  say(event.target.textContent);
});

by('search-link').addEventListener('click', event => {
  event.preventDefault();
  by('home').hidden = true;
  by('query').hidden = false;
  by('summary').focus();
  say('Enter a query');
});

by('query').addEventListener('submit', event => {
  event.preventDefault();
  const wanted = by('summary').value.toLowerCase();
  const found = bugs.filter(bug => bug.toLowerCase().includes(wanted));
  by('results').replaceChildren(...found.map(bug => Object.assign(document.createElement('li'), { textContent: bug })));
  say(`${found.length} found`);
});

// The print dialog.
document.addEventListener('keydown', event => {
  if (!event.altKey || event.key.toLowerCase() !== 'p' || by('print-dialog').open) return;
  event.preventDefault();
  by('print-dialog').showModal();
  say('Print …');
});

for (const id of ['to-printer', 'to-file'])
  by(id).addEventListener('change', () => {
    by('file-name').disabled = !by('to-file').checked;
  });

by('print-cancel').addEventListener('click', () => {
  by('print-dialog').close();
  say('Not printed');
});

by('print-ok').addEventListener('click', () => {
  say('Printing …');
  const margins = ['top', 'left', 'bottom', 'right'].map(side => Number(by(`margin-${side}`).value));
  const text = printJob.start({ margins });
  by('print-dialog').close();
  say(by('to-file').checked ? `Wrote ${by('file-name').value}` : `Printed ${text.length} bytes`);
});
