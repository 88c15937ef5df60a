/** The public part of `report`. */

export { type ComparedFile, textOf } from './compare.js';
export { JournalReader, stateOfJournal } from './journal.js';
export { type Known, type Live, type LiveOptions, serveLive } from './live.js';
export { openPage } from './open.js';
export type { PageData, Picture, ReportData, Table, TreeItem } from './page/data.js';
export { renderPage, writeReport } from './page/write.js';
export type { Ending } from './panel.js';
export { fold, foldAll, nothingYet, type ReportState, rowsOf, secondsOf, speedOf } from './state.js';
export { type Out, Terminal, type TerminalOptions } from './terminal.js';
