import { trimEnd } from "@lakehelm/contract/text";
import type { Artifact } from "../artifact.ts";
import { isWholeString, literalText, templateText } from "./python/literals.ts";
import type { PythonNode } from "./python/syntax-tree.ts";
import { textsIn } from "./yaml/substitution.ts";

/** An encoding of a withheld value. */
type Spelling = string;

/**
 * The encodings to search for. Values shorter than six characters, and plain words and numbers such as `postgres`,
 * `password` or `12345678`, are left out: valid artifacts contain them as names and settings, where they reveal
 * nothing. The search is a second defence: generators never receive secret values.
 */
export function spellings(withheld: readonly string[]): Spelling[] {
  const values = withheld.flatMap((value) => [
    value,
    // The value can be used without its scheme.
    ...(/^(?:bearer|basic|token) +(.+)$/is.exec(value)?.slice(1) ?? []),
  ]);
  // A key of many lines could be split into its lines.
  const lines = withheld.flatMap((value) =>
    value.split(/\r?\n/).filter((line) => line.length >= 16 && line !== value),
  );
  const searched = [...values, ...lines.slice(0, mostLines)].filter(isDistinctive);
  return [...new Set(searched.flatMap(encodings))].filter(({ length }) => length >= 6);
}

/** A private key of 4,096 bits has 54 lines. Each line is searched for in every file. */
const mostLines = 200;

/** The number of values that are searched for. */
export const checkedCount = (withheld: readonly string[]): number =>
  new Set(withheld.filter(isDistinctive)).size;

const isDistinctive = (value: string) =>
  value.length >= 6 &&
  !/^(?:[a-z_]{1,12}|[A-Z_]{1,12}|[A-Z][a-z]{0,11}|\d{1,8})$/.test(value) &&
  !isReference(value);

const isReference = (value: string) => /^\{\{\s*secrets\/[^{}]+\}\}$/.test(value);

function encodings(value: string): Spelling[] {
  const json = JSON.stringify(value).slice(1, -1);
  const bytes = Buffer.from(value, "utf8");
  return [
    value,
    json,
    // Escaped for a SQL string.
    value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("$", "\\u0024"),
    value.replaceAll("'", "''"),
    percentEncoded(value),
    bytes.toString("hex"),
    ...inBase64(bytes),
  ];
}

const percentEncoded = (value: string) => (value.isWellFormed() ? encodeURIComponent(value) : value);

/**
 * Inside a longer base64 text, a value begins at one of three offsets; its first and last digits depend on adjacent
 * bytes.
 */
function inBase64(bytes: Buffer): string[] {
  if (bytes.length < 8) return [trimEnd(bytes.toString("base64"), /=/)];
  const digits = [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = trimEnd(shifted.toString("base64"), /=/);
    const ends = (shifted.length * 8) % 6 === 0 ? whole.length : whole.length - 1;
    return whole.slice(shift === 0 ? 0 : shift + 1, ends);
  });
  return digits.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
}

/** All strings of an artifact, unparsed and parsed. */
export function textsOf(
  artifact: Artifact,
  read: { nodes?: readonly PythonNode[]; value?: unknown },
): string[] {
  const { path, content, about, statements = [], secrets = [], choices = [] } = artifact;
  const literals = (read.nodes ?? [])
    .filter(isWholeString)
    .map((node) => literalText(node, content) ?? templateText(node, content, "") ?? "");
  const values = [...textsIn(read.value, "")].map(([, text]) => text);
  const references = secrets.flatMap(({ scope, key }) => [scope, key]);
  return [content, path, about, ...choices, ...statements, ...references, ...literals, ...values];
}

/**
 * A problem if one of the spellings is found. The message does not say which one, because it is returned and logged.
 */
export function secretProblems(texts: readonly string[], searched: readonly Spelling[]): string[] {
  if (searched.length === 0) return [];
  const all = texts.join("\0");
  return searched.some((spelling) => all.includes(spelling))
    ? [
        "It contains the value of a secret. " +
          "If the request also uses this text openly, for example as a name, choose another one.",
      ]
    : [];
}

/** Masks withheld values in a sentence, because it can quote the artifact. */
export const masked = (sentence: string, searched: readonly Spelling[]): string =>
  searched.reduce((text, spelling) => text.replaceAll(spelling, "********"), sentence);
