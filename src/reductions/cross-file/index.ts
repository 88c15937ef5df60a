/** All passes that cross the files of a folder. */
import { wholeFiles } from '../../circumstances/files.js';
import type { Artifact } from '../../core/artifact.js';
import type { Circumstance } from '../../core/index.js';
import { apply } from '../../syntax/text-cut.js';
import { syntaxErrors } from '../../syntax/well-formed.js';
import type { StructureOptions } from '../tree/index.js';
import { contractFiles, contractToNamed, unimportedFiles } from './contract.js';
import { removeDeclarations } from './declarations.js';
import { editingFolder, type FolderEdit } from './edits.js';
import { foldIntoImporters } from './fold-into-importer.js';
import { foldIncludes } from './includes.js';
import { joinedSlices } from './joined-slices.js';
import { renameAcrossFiles } from './names.js';
import { removeParameters } from './parameters.js';
import { removeUnused } from './remove-unused.js';
import { replaceImporters } from './replace-importer.js';
import { skipReexports } from './skip-reexports.js';
import { type ReadSources, type Source, sourcesReader } from './sources.js';
import { stubFiles } from './stub-files.js';

export { type FolderGuard, folderGuard } from './guard.js';

/** A way to look for reductions that cross the files of a folder. */
export interface FolderPass {
  readonly name: string;
  /** It ends if neither half can be removed. */
  readonly byHalves?: boolean;
  /** For tools that only read the files: code that is executed stops at the first name that is gone. */
  readonly isForReaders?: boolean;
  over(artifact: Artifact): Promise<Circumstance<Artifact> | undefined>;
}

export interface CrossFilePasses {
  /** The files that a failure names, imported by those that nothing imports. */
  named(artifact: Artifact, isNamed: (path: string) => boolean): Promise<Circumstance<Artifact> | undefined>;
  /** Whole files, by what imports them. */
  readonly files: readonly FolderPass[];
  /** Declarations of files that share their names, with everything that they use. */
  readonly slices: FolderPass;
  /** Whatever nothing needs: names, imports and files. */
  readonly unused: FolderPass;
  /** Edits that remove much with few tests: declarations, parameters, files that only re-export. */
  readonly coarse: readonly FolderPass[];
  /** Renames, if names may change. */
  readonly names: readonly FolderPass[];
}

/** All passes that cross the files of a folder. Each file is read once as long as it does not change. */
export function crossFilePasses(options: StructureOptions): CrossFilePasses {
  const read = sourcesReader(options);
  const contract = async (artifact: Artifact) => contractFiles(artifact, await read(artifact));
  const stub = async (artifact: Artifact) => stubFiles(artifact, await read(artifact));
  return {
    named: async (artifact, isNamed) => contractToNamed(artifact, await read(artifact), isNamed),
    files: [
      {
        name: 'files that nothing imports',
        async over(artifact) {
          const paths = unimportedFiles(await read(artifact));
          return paths.length > 1 ? wholeFiles(artifact, paths) : undefined;
        },
      },
      { name: 'halves, imports past them', byHalves: true, isForReaders: true, over: contract },
      // For code that is executed.
      { name: 'halves, stubs in their place', byHalves: true, over: stub },
      { name: 'files, stubs in their place', over: stub },
      { name: 'files, imports past them', isForReaders: true, over: contract },
    ],
    slices: { name: 'slices across files', over: artifact => joinedSlices(artifact, options) },
    unused: passOf(read, 'what no file needs', removeUnused, false),
    coarse: [
      passOf(read, 're-exporting file', skipReexports),
      passOf(read, 'declaration across files', removeDeclarations),
      passOf(read, 'parameter across files', removeParameters),
      passOf(read, 'file folded into its importer', sources => [
        ...foldIntoImporters(sources),
        ...foldIncludes(sources),
      ]),
      passOf(read, 'file in place of its importer', replaceImporters),
    ],
    names: options.rename === false ? [] : [passOf(read, 'short name across files', renameAcrossFiles)],
  };
}

const passOf = (
  read: ReadSources,
  name: string,
  find: (sources: readonly Source[]) => readonly FolderEdit[],
  isChecked = true,
): FolderPass => ({
  name,
  async over(artifact) {
    if (artifact.files.size < 2) return undefined;
    const sources = await read(artifact);
    const edits = find(sources);
    return editingFolder(artifact, name, sources, isChecked ? wellFormed(sources, edits) : edits);
  },
});

/** A parse costs a hundredth of a test while a text is small. */
const largestCheck = 20_000;
const mostChecks = 5_000;

/** Without the edits that would add a syntax error to one of the files. */
function wellFormed(sources: readonly Source[], edits: readonly FolderEdit[]): readonly FolderEdit[] {
  if (edits.length > mostChecks) return edits;
  const byPath = new Map(sources.map(source => [source.path, source]));
  const own = new Map<string, number>();
  return edits.filter(({ spans }) =>
    [...spans].every(([path, list]) => {
      const { text, syntax } = byPath.get(path)!;
      if (text.length > largestCheck || syntax.grammar === undefined) return true;
      let before = own.get(path);
      if (before === undefined) own.set(path, (before = syntaxErrors(syntax.grammar, text)));
      return syntaxErrors(syntax.grammar, apply(text, { spans: list })) <= before;
    }),
  );
}
