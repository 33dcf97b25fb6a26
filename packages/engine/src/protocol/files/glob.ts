import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

const longestPattern = 10_000;
const mostAlternatives = 2_000;
/** The most characters of all alternatives together, because each name is compared with all of them. */
const mostCharacters = 30_000;
/** Characters in which braces are looked for: thousands of braces in each other take long. */
const mostLooked = 500_000;
const mostStars = 3;
const deepest = 16;
export const mostEntries = 200_000;
/** Comparisons of a name with a part of a pattern. A million takes about 0.1 s. */
const mostComparisons = 50_000_000;
const longestTurnMs = 20;

export const isGlob = (path: string): boolean => /[*?[\]{}]/.test(path);

/** The folder of a glob pattern: everything before the first name with a wildcard, and the pattern below it. */
export function splitGlob(path: string): { readonly folder: string; readonly pattern: string } {
  const fixed = path.slice(0, path.search(/[*?[\]{}]/));
  const end = fixed.lastIndexOf("/");
  return { folder: path.slice(0, end) || "/", pattern: path.slice(end + 1) };
}

/** Why a pattern is refused; undefined if it is not. A pattern must take little time for any names of files. */
export function globProblem(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return typeof compiled === "string" ? compiled : undefined;
}

/** Whether one name matches a pattern. Throws with a message if the pattern is refused. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const alternatives = requireCompiled(pattern);
  return (name) => alternatives.some((parts) => parts.length === 1 && parts[0]?.(name));
}

/**
 * Whether a path with "/" matches a pattern. Throws with a message if the pattern is refused, and when it was compared with
 * too many paths.
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const alternatives = requireCompiled(pattern);
  const first = closure(
    alternatives,
    alternatives.map((_, alternative) => ({ alternative, at: 0 })),
  );
  let comparisons = 0;
  return (path) => {
    const names = path.split("/");
    if (names.length > deepest) return false;
    let states: readonly GlobState[] = first;
    for (const [at, name] of names.entries()) {
      comparisons += states.length;
      if (comparisons > mostComparisons) {
        throw new Error(`There are too many files to compare with ${shown(pattern)}.`);
      }
      const { next, isMatch } = advance(alternatives, states, name);
      if (at === names.length - 1) return isMatch;
      states = next;
    }
    return false;
  };
}

/**
 * The files below a folder that match a pattern, relative to it. Links to folders are not followed. Throws with a message
 * if the pattern is refused or there are too many files to look at.
 */
export async function findFiles(folder: string, pattern: string): Promise<string[]> {
  const alternatives = requireCompiled(pattern);
  const found: string[] = [];
  let entries = 0;
  let comparisons = 0;
  let since = performance.now();
  async function walk(relative: string, level: number, states: readonly GlobState[]): Promise<void> {
    for await (const entry of await opendir(join(folder, relative))) {
      entries += 1;
      comparisons += states.length;
      if (entries > mostEntries || comparisons > mostComparisons) {
        throw new Error(
          `There are too many files and folders below ${folder} to compare with ${shown(pattern)}.`,
        );
      }
      // Entries are read in groups, and nothing else would run between the entries of a group.
      if (performance.now() - since > longestTurnMs) {
        await nextTurn();
        since = performance.now();
      }
      const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
      const { next, isMatch } = advance(alternatives, states, entry.name);
      if (entry.isDirectory()) {
        if (next.length > 0 && level < deepest) await walk(path, level + 1, next);
      } else if (isMatch) found.push(path);
    }
  }
  await walk(
    "",
    1,
    closure(
      alternatives,
      alternatives.map((_, alternative) => ({ alternative, at: 0 })),
    ),
  );
  return found;
}

/** Matches one name of a path; `anyFolders` is for `**`. A wildcard does not match the dot of a hidden file. */
type GlobPart = (name: string) => boolean;
const anyFolders: GlobPart = (name) => !name.startsWith(".");

/** How far a path has matched an alternative of the pattern. */
interface GlobState {
  readonly alternative: number;
  readonly at: number;
}

function advance(
  alternatives: readonly (readonly GlobPart[])[],
  states: readonly GlobState[],
  name: string,
): { readonly next: GlobState[]; readonly isMatch: boolean } {
  let isMatch = false;
  const next: GlobState[] = [];
  for (const { alternative, at } of states) {
    const parts = alternatives[alternative] ?? [];
    const part = parts[at];
    if (!part?.(name)) continue;
    const isLast = at === parts.length - 1;
    isMatch ||= isLast;
    if (part === anyFolders) next.push({ alternative, at });
    else if (!isLast) next.push({ alternative, at: at + 1 });
  }
  return { next: closure(alternatives, next), isMatch };
}

/** `**` also stands for no folder at all. */
function closure(alternatives: readonly (readonly GlobPart[])[], states: readonly GlobState[]): GlobState[] {
  const all = new Map<string, GlobState>();
  for (const state of states) {
    const parts = alternatives[state.alternative] ?? [];
    for (let { at } = state; at < parts.length; at++) {
      all.set(`${state.alternative} ${at}`, { ...state, at });
      if (parts[at] !== anyFolders) break;
    }
  }
  return [...all.values()];
}

function requireCompiled(pattern: string): readonly (readonly GlobPart[])[] {
  const compiled = compile(pattern);
  if (typeof compiled === "string") throw new Error(compiled);
  return compiled;
}

const shown = (pattern: string) => (pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern);

/** The alternatives of a pattern, or why it is refused. */
function compile(pattern: string): readonly (readonly GlobPart[])[] | string {
  const refused = (reason: string) => `The pattern ${shown(pattern)} cannot be used: ${reason}.`;
  if (pattern.length > longestPattern) return refused(`it is longer than ${longestPattern} characters`);
  if (/[?*+@!]\(/.test(pattern)) return refused("it contains a group such as +(a|b)");
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) {
    return refused(
      `it has more than ${mostAlternatives} alternatives, or they have more than ${mostCharacters} characters`,
    );
  }
  const all = alternatives.map((alternative) => alternative.split("/").filter((name) => name !== ""));
  if (all.some((names) => names.some((name) => starsIn(name) > mostStars))) {
    return refused(`a name in it has more than ${mostStars} "*"`);
  }
  return all.map((names) => names.map(partOf));
}

const starsIn = (name: string) => name.replace(/\*+/g, "*").split("*").length - 1;

function partOf(name: string): GlobPart {
  if (name === "**") return anyFolders;
  if (!/[*?[\\]/.test(name)) return (other) => other === name;
  const isHiddenExcluded = /^([*?]|\[[!^])/.test(name);
  const tokens = [...tokensOf(name)];
  const wild = tokens.findIndex((token) => typeof token !== "string");
  const start = tokens.slice(0, wild < 0 ? tokens.length : wild).join("");
  return (other) =>
    other.startsWith(start) &&
    !(isHiddenExcluded && other.startsWith(".")) &&
    isMatchOf(tokens, Array.from(other));
}

/** A character, a set of characters, or any number of characters. */
type Token = string | ((character: string) => boolean) | typeof anyCharacters;
const anyCharacters = Symbol("*");

/**
 * If there are stars, only the last one is tried again with more characters, so the steps are at most the length of the
 * name times that of the pattern. A regular expression takes the third power of the length, minutes for a name of 255
 * letters.
 */
function isMatchOf(tokens: readonly Token[], characters: readonly string[]): boolean {
  let [token, at] = [0, 0];
  let star: { token: number; at: number } | undefined;
  while (at < characters.length) {
    const expected = tokens[token];
    if (expected === anyCharacters) {
      token += 1;
      star = { token, at };
    } else if (expected !== undefined && isOne(expected, characters[at] as string)) {
      token += 1;
      at += 1;
    } else if (star) {
      star.at += 1;
      ({ token, at } = star);
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === anyCharacters);
}

const isOne = (expected: Exclude<Token, typeof anyCharacters>, character: string): boolean =>
  typeof expected === "string" ? expected === character : expected(character);

function* tokensOf(name: string): Generator<Token> {
  const piece = /\*+|\?|\[([!^]?)(\]?[^\]]*)\]|\\(.)|./gsu;
  for (const [text, negation, set, escaped] of name.matchAll(piece)) {
    if (text.startsWith("*")) yield anyCharacters;
    else if (text === "?") yield () => true;
    else if (set !== undefined && set !== "") yield setOf(set, negation !== "");
    else yield escaped ?? text;
  }
}

/** A set of characters such as `a-z_`. An empty range such as `z-a` matches nothing. */
function setOf(set: string, isNegated: boolean): (character: string) => boolean {
  const ranges = [...set.matchAll(/(.)(?:-(.))?/gsu)].map(([, from = "", to = from]) => [
    codeOf(from),
    codeOf(to),
  ]);
  return (character) => {
    const code = codeOf(character);
    return ranges.some(([from = 0, to = 0]) => from <= code && code <= to) !== isNegated;
  };
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

/** The patterns that the braces of a pattern stand for; undefined if there are too many. */
function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  const pending = [{ text: pattern, from: 0 }];
  /** The characters of `done` and `pending`. */
  let characters = pattern.length;
  let looked = 0;
  while (pending.length > 0) {
    if (done.length + pending.length > mostAlternatives || characters > mostCharacters) return undefined;
    const { text, from } = pending.pop() as { text: string; from: number };
    looked += text.length;
    if (looked > mostLooked) return undefined;
    const group = groupIn(text, from);
    if (group === undefined) {
      done.push(text);
      continue;
    }
    const { start, end } = group;
    const options = optionsOf(text.slice(start + 1, end));
    if (options === undefined) {
      // A group without alternatives, such as {a}, is plain text.
      pending.push({ text, from: start + 1 });
      continue;
    }
    if (options.length > mostAlternatives) return undefined;
    characters -= text.length;
    for (const option of options) {
      const expanded = text.slice(0, start) + option + text.slice(end + 1);
      characters += expanded.length;
      if (characters > mostCharacters) return undefined;
      pending.push({ text: expanded, from: start });
    }
  }
  return done;
}

/** The next group in braces. An open brace without its end is plain text. */
function groupIn(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
  const open: number[] = [];
  let last: { start: number; end: number } | undefined;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "{") open.push(at);
    else if (text[at] === "}" && open.length > 0) {
      const start = open.pop() as number;
      if (open.length === 0) return { start, end: at };
      last ??= { start, end: at };
    }
  }
  return last;
}

function optionsOf(inside: string): string[] | undefined {
  const options: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < inside.length; at++) {
    if (inside[at] === "\\") at += 1;
    else if (inside[at] === "{") depth += 1;
    else if (inside[at] === "}") depth -= 1;
    else if (inside[at] === "," && depth === 0) {
      options.push(inside.slice(from, at));
      from = at + 1;
    }
  }
  return options.length > 0 ? [...options, inside.slice(from)] : rangeOf(inside);
}

/** `1..3` and `a..c`, with an optional step. A range that is longer than allowed is cut one item after the limit. */
function rangeOf(inside: string): string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(inside);
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(inside);
  const [, from = "", to = "", step = "1"] = numbers ?? letters ?? [];
  if (from === "") return undefined;
  const numberOf = (text: string) => (numbers ? Number(text) : text.charCodeAt(0));
  const width =
    numbers && [from, to].some((text) => /^-?0\d/.test(text)) ? Math.max(from.length, to.length) : 0;
  const [first, last, by] = [numberOf(from), numberOf(to), Math.abs(Number(step)) || 1];
  const count = Math.min(Math.floor(Math.abs(last - first) / by) + 1, mostAlternatives + 1);
  return Array.from({ length: count }, (_, index) => {
    const value = first + (last < first ? -by : by) * index;
    if (!numbers) return String.fromCharCode(value);
    return (value < 0 ? "-" : "") + String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, "0");
  });
}
