import { hidden, shown } from "@lakehelm/contract/text";
import type { Artifact, FileType } from "../artifact.ts";

const endings: Readonly<Record<FileType, RegExp>> = {
  python: /\.py$/,
  sql: /\.sql$/,
  yaml: /\.ya?ml$/,
  json: /\.json$/,
};

/** Names that Windows reserves for devices, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** The problems of each path, alone and together with the other paths. */
export function pathProblems(artifacts: readonly Artifact[]): string[][] {
  const files = new Map<string, number>();
  const folders = new Set<string>();
  for (const { path } of artifacts) {
    const spelling = canonicalPath(path);
    files.set(spelling, (files.get(spelling) ?? 0) + 1);
    for (let at = spelling.indexOf("/"); at >= 0; at = spelling.indexOf("/", at + 1))
      folders.add(spelling.slice(0, at));
  }
  return artifacts.map(({ path, fileType }) => {
    const spelling = canonicalPath(path);
    const problem = pathProblem(path);
    return [
      ...(problem === undefined ? [] : [`The path ${problem}.`]),
      ...(endings[fileType].test(path) ? [] : [`The path does not have the ending of a ${fileType} file.`]),
      ...((files.get(spelling) ?? 0) > 1 ? ["Two artifacts have this path if case is ignored."] : []),
      ...(folders.has(spelling) ? ["The path is both a file and a folder."] : []),
    ];
  });
}

/** The form in which paths are compared: file systems may ignore case or compose accents. */
const canonicalPath = (path: string) => path.normalize("NFC").toLowerCase();

/** Why a path does not mean the same below any folder on Linux, macOS and Windows. */
export function pathProblem(path: string): string | undefined {
  if (hidden.test(path)) return "has an invisible character";
  if (path.includes("\\")) return "has a backslash";
  if (path.startsWith("/")) return "is absolute";
  if (/[<>:"|?*]/.test(path)) return "has a character that Windows does not allow in names";
  if (path.length > 400) return "is longer than 400 characters";
  const names = path.split("/");
  if (names.includes("..")) return "points outside its folder";
  if (names.some((name) => name === "" || name === ".")) return "has an empty segment";
  if (names.some((name) => /[. ]$|^ /.test(name)))
    return "has a segment that begins with a space, or ends with a dot or a space";
  const reserved = names.find((name) => device.test(name));
  if (reserved !== undefined) return `has the segment ${shown(reserved)}, which is a device on Windows`;
  if (names.some((name) => name.toLowerCase() === ".git")) return "leads into a git repository";
  if (names.some((name) => Buffer.byteLength(name) > 200)) return "has a segment of more than 200 bytes";
  return undefined;
}
