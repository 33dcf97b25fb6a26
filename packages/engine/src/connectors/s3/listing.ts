import { basename } from "node:path";
import { globProblem, isGlob, mostEntries, nameMatcher, pathMatcher } from "../../protocol/files/glob.ts";
import { DataProblem } from "../../protocol/problem.ts";
import { fileIdentity, timeText } from "../files/read/file-identity.ts";
import { datasetProblem, isHidden } from "../files/read/file-listing.ts";
import { type FileNames, missingFile } from "../files/read/file-names.ts";
import type { ListedFile } from "../files/read/file-store.ts";
import type { S3Client } from "./client.ts";
import { S3Failure, s3Problem } from "./problem.ts";
import { elements, elementText } from "./xml.ts";

interface S3Object {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly modifiedMs: number;
}

/** The objects whose keys begin with a prefix, in the order of their keys. There may be at most 200,000. */
export async function* objectsBelow(client: S3Client, prefix: string): AsyncGenerator<S3Object> {
  let token: string | undefined;
  let count = 0;
  do {
    const xml = await requestPage(client, prefix, token);
    const isEncoded = elementText(xml, "EncodingType") === "url";
    for (const content of elements(xml, "Contents")) {
      count += 1;
      if (count > mostEntries) {
        throw new DataProblem(
          `There are more than ${mostEntries} objects below ${client.shown(prefix)}. Choose a folder or a pattern that begins with one.`,
        );
      }
      const key = elementText(content, "Key") ?? "";
      yield {
        key: isEncoded ? decodedKey(key) : key,
        size: Number(elementText(content, "Size") ?? 0),
        etag: elementText(content, "ETag") ?? "",
        modifiedMs: Date.parse(elementText(content, "LastModified") ?? "") || 0,
      };
    }
    const next =
      elementText(xml, "IsTruncated") === "true" ? elementText(xml, "NextContinuationToken") : undefined;
    if (next !== undefined && next === token)
      throw new DataProblem(`${client.shown(prefix)} cannot be listed: the server repeats a page.`);
    token = next;
  } while (token !== undefined);
}

async function requestPage(client: S3Client, prefix: string, token: string | undefined): Promise<string> {
  const query = {
    "list-type": "2",
    "encoding-type": "url",
    prefix,
    ...(token !== undefined && { "continuation-token": token }),
  };
  try {
    return await client.text({ key: "", query });
  } catch (error) {
    throw error instanceof S3Failure
      ? s3Problem(`s3://${client.settings.bucket}`, client.settings, error)
      : error;
  }
}

const decodedKey = (key: string): string => {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch {
    return key;
  }
};

export interface ObjectFilter {
  readonly extensions: FileNames;
  /** A glob pattern for file names. */
  readonly namePattern: string | undefined;
}

/** The objects of a dataset: one object, all below a folder, or those that match a pattern. */
export async function findObjects(
  client: S3Client,
  filter: ObjectFilter,
  dataset: string,
): Promise<ListedFile[]> {
  const { namePattern } = filter;
  const problem =
    datasetProblem(dataset) ??
    (namePattern === undefined ? undefined : globProblem(namePattern)) ??
    globProblem(dataset);
  if (problem) throw new DataProblem(`${JSON.stringify(dataset)} cannot be read: ${problem}`);
  const isNamed = namePattern === undefined ? () => true : nameMatcher(namePattern);
  const name = dataset === "." ? "" : dataset.replace(/^(\.\/)+|\/+$/g, "");
  const found = new Map<string, ListedFile>();
  for (const { start, isSelected } of selectionsOf(name, filter)) {
    for await (const object of objectsBelow(client, client.settings.prefix + start)) {
      const relative = object.key.slice(client.settings.prefix.length);
      if (relative.endsWith("/") || !isNamed(basename(relative)) || !matches(isSelected, relative)) continue;
      found.set(relative, listed(client, relative, object));
    }
    if (found.size > 0) break;
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Like `findObjects`, but throws a DataProblem that suggests similar names if there are no objects. */
export async function listObjects(
  client: S3Client,
  filter: ObjectFilter,
  dataset: string,
): Promise<ListedFile[]> {
  const found = await findObjects(client, filter, dataset);
  if (found.length > 0) return found;
  const names = await listTopLevel(client, filter).catch(() => []);
  throw missingFile(dataset, placeOf(client), names, filter);
}

interface Selection {
  readonly start: string;
  readonly isSelected: (name: string) => boolean;
}

/** What a name can stand for, the most exact first: a file, a folder, a pattern. */
function selectionsOf(name: string, { extensions }: ObjectFilter): Selection[] {
  const isInFolder = (relative: string) =>
    extensions.test(relative) &&
    !relative
      .slice(name === "" ? 0 : name.length + 1)
      .split("/")
      .some(isHidden);
  const folder = { start: name === "" ? "" : `${name}/`, isSelected: isInFolder };
  if (name === "") return [folder];
  const exact = { start: name, isSelected: (relative: string) => relative === name };
  if (!isGlob(name)) return [exactOrFolder(name, isInFolder)];
  const fixed = name.slice(0, name.search(/[*?[\]{}\\]/));
  return [{ start: fixed, isSelected: pathMatcher(name) }, exact];
}

/** One listing finds the file or the folder: the object comes before the objects in a folder of its name. */
function exactOrFolder(name: string, isInFolder: (relative: string) => boolean): Selection {
  let isFile = false;
  return {
    start: name,
    isSelected(relative) {
      if (relative === name) isFile = true;
      return relative === name || (!isFile && relative.startsWith(`${name}/`) && isInFolder(relative));
    },
  };
}

function matches(isSelected: (name: string) => boolean, name: string): boolean {
  try {
    return isSelected(name);
  } catch (error) {
    throw new DataProblem((error as Error).message, { cause: error });
  }
}

/** Whether an object is new is decided by its key, its size and its ETag, which changes with its content. */
const listed = (client: S3Client, name: string, { key, size, etag, modifiedMs }: S3Object): ListedFile => ({
  path: client.shown(key),
  name,
  size,
  modified: timeText(BigInt(modifiedMs) * 1000n),
  identities: [fileIdentity(`s3 ${name} ${size} ${etag}`)],
  version: etag,
});

/** The objects directly below the prefix, and the folders that contain some. */
export async function listTopLevel(client: S3Client, { extensions }: ObjectFilter): Promise<string[]> {
  const { prefix } = client.settings;
  const names = new Set<string>();
  for await (const { key } of objectsBelow(client, prefix)) {
    const relative = key.slice(prefix.length);
    if (relative.endsWith("/") || relative.split("/").some(isHidden) || !extensions.test(relative)) continue;
    names.add(relative.split("/", 1)[0] ?? relative);
  }
  return [...names].sort();
}

export const placeOf = ({ settings: { bucket, prefix } }: S3Client): string =>
  `s3://${bucket}${prefix === "" ? "" : `/${prefix.slice(0, -1)}`}`;
