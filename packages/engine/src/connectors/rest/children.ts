import { childPath, pathKeys, type RestParent } from "@lakehelm/contract/connections";
import { DataProblem } from "../../protocol/problem.ts";
import { textOf } from "../source/json/cells.ts";
import { isRecord, type JsonRecord } from "../source/json/exact-json.ts";
import { isNotFound } from "./json-client.ts";
import { pages, type RecordPage, valueAt } from "./pages.ts";
import { type RestRequest, type RestSettings, requestOf } from "./settings.ts";

/** The paths of parents are kept, so that a parent that is on two pages is read once. */
const maxParents = 2_000_000;
const maxKeyCharacters = 500;

interface ChildrenOptions {
  readonly settings: RestSettings;
  readonly dataset: string;
  readonly parent: RestParent;
  /** The request for the parents, with the watermark if they are filtered by it. */
  readonly parents: RestRequest;
  /** Adds the watermark to the request for the children of one parent. */
  readonly withWatermark: (request: RestRequest) => RestRequest;
  /** Whether a parent may have new children. */
  readonly isSelected: (parent: JsonRecord) => boolean;
  /**
   * Takes a page of children, with the columns that come from their parent. Returns false if nothing more is needed.
   */
  readonly onPage: (page: RecordPage, keys: JsonRecord) => boolean;
  /** Called for a parent without a usable key. */
  readonly onReject: (reason: string, keys: JsonRecord) => void;
  readonly onParents: (bytes: number) => void;
}

/** Reads the children of every parent, of several parents at the same time. One page of parents is in memory. */
export async function readChildren(options: ChildrenOptions, outer: AbortSignal): Promise<void> {
  const { settings, dataset, parent, parents, isSelected, onPage, onReject } = options;
  const path = settings.requests.get(dataset)?.path ?? dataset;
  const needed = pathKeys(path);
  const known = new Set<string>();
  const failure = new AbortController();
  const signal = AbortSignal.any([outer, failure.signal]);
  let found = 0;
  let missing: unknown;
  let isDone = false;

  async function readOf(record: JsonRecord): Promise<void> {
    const keys = keysOf(record, parent);
    const problem = keyProblem(keys, needed);
    if (problem !== undefined) return onReject(problem, keys);
    const filled = childPath(path, (key) => textOf(keys[key]));
    if (known.has(filled)) return;
    known.add(filled);
    if (known.size > maxParents)
      throw new DataProblem(`${parent.dataset} has more than ${maxParents} rows, too many to be parents.`);
    const request = options.withWatermark(requestOf(settings, dataset, filled));
    try {
      for await (const page of pages(request, settings, signal)) {
        found += 1;
        if (!onPage(page, keys)) isDone = true;
        if (isDone) return;
      }
    } catch (error) {
      // The parent may have been deleted since it was listed.
      if (!isNotFound(error)) throw error;
      missing ??= error;
    }
  }

  for await (const { records, bytes } of pages(parents, settings, signal)) {
    options.onParents(bytes);
    if (!records.every(isRecord)) onReject("the list of parents contains something that is not a record", {});
    const queue = records.filter(isRecord).filter(isSelected).values();
    const work = async () => {
      for (const record of queue) {
        if (isDone) return;
        await readOf(record);
      }
    };
    try {
      await Promise.all(Array.from({ length: parent.concurrency }, work));
    } catch (error) {
      failure.abort(error);
      throw error;
    }
    if (isDone) return;
  }
  // One parent may be gone. If all are, the path is wrong.
  if (missing !== undefined && found === 0) throw missing;
}

const keysOf = (record: JsonRecord, { keys }: RestParent): JsonRecord =>
  Object.fromEntries(
    Object.entries(keys).map(([column, field]) => [column, valueAt(record, field.split(".")) ?? null]),
  );

function keyProblem(keys: JsonRecord, needed: readonly string[]): string | undefined {
  for (const column of needed) {
    const value = keys[column] ?? null;
    const isScalar = ["string", "number", "boolean"].includes(typeof value) || JSON.isRawJSON(value);
    if (!isScalar || value === "") return `the parent has no value for ${JSON.stringify(column)}`;
    const text = textOf(value);
    if (/^\.{1,2}$/.test(text) || text.length > maxKeyCharacters)
      return `the parent's value for ${JSON.stringify(column)} cannot be part of a path`;
  }
  return undefined;
}
