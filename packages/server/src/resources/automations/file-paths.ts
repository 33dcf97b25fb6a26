import type { DesignFile } from "@lakehelm/codegen";

const maxFiles = 1000;

/** The files that may be written below a folder beside our own, and the problems of the others. */
export function checkPaths(
  files: readonly DesignFile[],
  ours: readonly DesignFile[],
): { safe: DesignFile[]; problems: string[] } {
  if (files.length > maxFiles) return { safe: [], problems: [`There are more than ${maxFiles} files.`] };
  const safe: DesignFile[] = [];
  const problems: string[] = [];
  const written = new Set(ours.map(({ path }) => comparableName(path)));
  const taken = new Set(written);
  const folders = new Set([...written].flatMap((path) => foldersAbove(path.split("/"))));
  for (const file of files) {
    const names = comparableName(file.path).split("/");
    const above = foldersAbove(names);
    const path = names.join("/");
    const problem =
      pathProblem(file.path) ??
      (written.has(path) ? "is generated from the design" : undefined) ??
      (taken.has(path) ? "appears twice" : undefined) ??
      (folders.has(path) || above.some((folder) => taken.has(folder))
        ? "is both a file and a folder"
        : undefined);
    if (problem !== undefined) {
      problems.push(`${JSON.stringify(file.path)} ${problem}.`);
      continue;
    }
    taken.add(path);
    for (const folder of above) folders.add(folder);
    safe.push(file);
  }
  return { safe, problems };
}

const foldersAbove = (names: readonly string[]) =>
  names.map((_, depth) => names.slice(0, depth).join("/")).slice(1);

/** Paths with equal keys are the same file on a file system that ignores case or normalizes accents. */
const comparableName = (path: string) => path.normalize("NFC").toLowerCase();

function pathProblem(path: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\x00-\x1f\x7f\\:]/.test(path)) return "has a control character, a backslash or a colon";
  if (path.startsWith("/")) return "must be relative";
  const names = path.split("/");
  if (names.includes("..")) return "points outside its folder";
  if (names.some((name) => name === "" || name === ".")) return "has an empty segment";
  if (names.some((name) => name.toLowerCase() === ".git")) return "must not contain a .git segment";
  if (path.length > 1000 || names.some((name) => Buffer.byteLength(name) > 200)) return "is too long";
  return undefined;
}
