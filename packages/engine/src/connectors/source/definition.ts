import { createHash } from "node:crypto";

/**
 * What the rows of a dataset depend on beside the rows themselves, as the source declares it. Only the source
 * interprets this JSON.
 */
export type SourceDefinition = Readonly<Record<string, unknown>>;

/** Why rows may have changed although no watermark shows it. */
export interface DefinitionChange {
  /** As the rest of a sentence: `it was dropped and created again`. */
  readonly reason: string;
  /** Present if rows may be hidden from the connector that it could read before: what makes them visible again, as a sentence. */
  readonly hidden?: string;
}

/** The definition of a dataset now. */
export interface DefinedDataset {
  readonly definition: SourceDefinition;
  /** What has changed since a run relied on an earlier definition; undefined: nothing that its rows depend on. */
  compare(before: SourceDefinition, watermark: string | null): DefinitionChange | undefined;
  /** What is stored for the next run, if that is more than the current definition. */
  merge?(before: SourceDefinition): SourceDefinition;
  /** What the owner of the connector should know when the dataset is read for the first time, as a sentence. */
  readonly notice?: string | undefined;
}

export const digest = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);

/**
 * The definitions of views and tables that a text mentions, directly or through another definition. A name counts as
 * mentioned if its words are among those of the text, so more may be found than the text refers to.
 */
export function mentioned(text: string, definitions: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  const open = [text];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const words = wordsOf(next);
    for (const [name, definition] of definitions) {
      if (found.has(name) || !wordsOf(name).isSubsetOf(words)) continue;
      found.set(name, definition);
      open.push(definition);
    }
  }
  return found;
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu));

/**
 * The settings of a connection that decide which rows a source without a catalog returns, and how it reads them.
 * Settings in `recent` are not compared with a definition that an earlier version of Lakehelm stored without them.
 */
export const definedBySettings = (
  settings: Readonly<Record<string, unknown>>,
  recent?: Readonly<Record<string, unknown>>,
): DefinedDataset => {
  const definition = { settings: digest(settings), ...(recent && { recent: digest(recent) }) };
  return {
    definition,
    compare: (before) =>
      before.settings === definition.settings &&
      (before.recent === undefined || before.recent === definition.recent)
        ? undefined
        : { reason: "the connection has other settings, which decide what is read and how" },
  };
};
