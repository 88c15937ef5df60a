// Turns the page into lines of PostScript-like text, control by control.
const printJob = {
  lines: [],

  start(settings) {
    this.lines = [`%!PS margins ${settings.margins.join(' ')}`];
    for (const element of document.querySelectorAll('main h1, main p, main input, main select, main li')) {
      if (element.matches('select')) this.printSelect(element);
      else if (element.matches('input')) this.printLine(`[${element.value}]`);
      else this.printLine(element.textContent);
    }
    this.lines.push('showpage');
    return this.lines.join('\n');
  },

  printSelect(select) {
    // A list in which nothing is chosen has no first choice: this is the bug.
    const chosen = select.selectedOptions[0];
    this.printLine(`[${chosen.label}]`);
  },

  printLine(text) {
    this.lines.push(`(${text.trim()}) show`);
  },
};
