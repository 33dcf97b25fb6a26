import { posix } from "node:path";
import { type Kind, kinds, policyFolder } from "../kinds.ts";
import { limits } from "../limits.ts";
import { Problems } from "../problems.ts";
import { readDocument } from "./document.ts";
import { mainFiles, ProjectFolder, UnreadableFile } from "./folder.ts";
import { sourceText } from "./source-text.ts";
import { entryOf, type Tree, textOf } from "./tree.ts";

export interface ResourceFile {
  readonly kind: Kind;
  readonly name: string;
  readonly file: string;
  readonly tree: Tree;
}

interface PolicyDocument {
  readonly name: string;
  readonly file: string;
  readonly tree: Tree;
}

/** The files of a project, unresolved. */
export interface LoadedProject {
  readonly folder: ProjectFolder;
  /** Undefined if the main file cannot be read. */
  readonly main: Tree | undefined;
  readonly mainFile: string;
  readonly resources: readonly ResourceFile[];
  readonly policies: readonly PolicyDocument[];
  /** Folders with an unreadable file, which may contain the resource that a reference names. */
  readonly incomplete: ReadonlySet<string>;
  readonly problems: Problems;
}

const isDocument = (name: string) => /\.(?:ya?ml|json)$/i.test(name) && !name.startsWith(".");
const stemOf = (file: string) => posix.basename(file).replace(/\.[^.]*$/, "");

export async function loadProject(path: string): Promise<LoadedProject> {
  const folder = new ProjectFolder(path);
  const problems = new Problems();
  const read = async (file: string): Promise<Tree | undefined> => {
    try {
      return await readDocument(await folder.text(file, limits.document * 4), problems);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      problems.error({ source: sourceText(file, ""), at: 0 }, `The file ${error.message}`);
      return undefined;
    }
  };
  const mains = (await folder.list(".")).filter(({ name }) => mainFiles.some((known) => known === name));
  const [mainFile = mainFiles[0]] = mains.map(({ name }) => name);
  const main = await read(mainFile);
  if (mains.length > 1 && main) problems.error(main, `There is also ${mains[1]?.name}. Keep one of them.`);

  const incomplete = new Set<string>();
  let count = 0;
  const documentsOf = async (name: string): Promise<{ file: string; tree: Tree }[]> => {
    const found: { file: string; tree: Tree }[] = [];
    let entries: Awaited<ReturnType<ProjectFolder["list"]>>;
    try {
      entries = await folder.list(name);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      problems.error({ source: sourceText(name, ""), at: 0 }, `The folder ${error.message}`);
      return [];
    }
    for (const entry of entries) {
      if (entry.isDirectory() || !isDocument(entry.name)) continue;
      count += 1;
      if (count > limits.documents) {
        const place = { source: sourceText(name, ""), at: 0 };
        problems.error(place, `The project has more than ${limits.documents} files. Split it.`);
        break;
      }
      const file = posix.join(name, entry.name);
      const tree = await read(file);
      if (tree?.kind !== "map") incomplete.add(name);
      if (!tree) continue;
      if (tree.kind === "map") found.push({ file, tree });
      else problems.error(tree, "The file must contain fields and their values.");
    }
    return found;
  };

  const resources: ResourceFile[] = [];
  for (const kind of kinds) {
    const names = new Map<string, string>();
    for (const { file, tree } of await documentsOf(kind.folder)) {
      const written = entryOf(tree, kind.nameField);
      const name = textOf(written) ?? stemOf(file);
      if (/\$\{/.test(name) && written) {
        problems.error(written, "A name cannot contain references: other files refer to it.");
        continue;
      }
      const other = names.get(name);
      if (other !== undefined) {
        problems.error(written ?? tree, `The ${kind.kind} ${JSON.stringify(name)} is also in ${other}.`);
        continue;
      }
      names.set(name, file);
      resources.push({ kind, name, file, tree });
    }
  }
  const policies = (await documentsOf(policyFolder)).map(({ file, tree }) => ({
    file,
    tree,
    name: textOf(entryOf(tree, "name")) ?? stemOf(file),
  }));
  return { folder, main, mainFile, resources, policies, incomplete, problems };
}
