import { isDeepStrictEqual } from "node:util";
import { isMap } from "@lakehelm/contract/connections";

/** One field that differs. A path has the keys of lists whose items have names: `tasks.ingest.max_retries`. */
export interface FieldDifference {
  readonly path: readonly string[];
  /** Undefined: it was not declared. */
  readonly declared: unknown;
  /** Undefined: it is not there. */
  readonly live: unknown;
}

/** The path as callers read it. */
export const fieldName = ({ path }: Pick<FieldDifference, "path">): string => path.join(".");

/** How settings of one kind of thing are compared. */
export interface SettingsShape {
  /** Fields that matter although we did not declare them. Other undeclared fields belong to the service. */
  readonly watched: ReadonlySet<string>;
  /** Values that the service fills in, by the last key of the path: they mean the same as no value. */
  readonly defaults: Readonly<Record<string, readonly unknown[]>>;
  /** Keys by which the items of lists are found again; other lists are compared as a whole. */
  readonly itemKeys: Readonly<Record<string, string>>;
  /** Fields that an answer may leave out although they are set. */
  readonly mayBeHidden: ReadonlySet<string>;
}

/** The most differences that are listed of one thing: with more, it is a different thing. */
const mostFields = 50;
const deepest = 8;

/** The fields of `live` that are not as declared. What the service adds by itself is no difference. */
export function settingsDifferences(
  declared: Readonly<Record<string, unknown>>,
  live: Readonly<Record<string, unknown>>,
  shape: SettingsShape,
): FieldDifference[] {
  const found: FieldDifference[] = [];

  function compare(path: readonly string[], before: unknown, now: unknown): void {
    const key = path.at(-1) ?? "";
    if (found.length >= mostFields || isSame(before, now)) return;
    if (isNothing(key, before) && isNothing(key, now)) return;
    if (path.length < deepest) {
      const [left, right] = [entriesOf(key, before), entriesOf(key, now)];
      if (left && right) {
        for (const name of new Set([...left.keys(), ...right.keys()])) {
          compare([...path, name], left.get(name), right.get(name));
        }
        return;
      }
    }
    if (now === undefined && path.length === 1 && shape.mayBeHidden.has(key)) return;
    found.push({ path, declared: before, live: now });
  }

  const isNothing = (key: string, value: unknown) =>
    isEmpty(value) || (shape.defaults[key] ?? []).some((one) => isSame(one, value));

  /** The parts of a map, or of a list whose items have names. An absent list has no parts. */
  function entriesOf(key: string, value: unknown): Map<string, unknown> | undefined {
    if (isMap(value)) return new Map(Object.entries(value));
    const name = shape.itemKeys[key];
    if (name === undefined) return undefined;
    if (value === undefined || value === null) return new Map();
    if (!Array.isArray(value) || !value.every((item) => isMap(item) && typeof item[name] === "string"))
      return undefined;
    const items = new Map(value.map((item) => [String(item[name]), item]));
    return items.size === value.length ? items : undefined;
  }

  for (const key of new Set([...Object.keys(declared), ...Object.keys(live)])) {
    if (key in declared || shape.watched.has(key)) compare([key], declared[key], live[key]);
  }
  return found;
}

/** The service may leave out or add empty values. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 0 ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isMap(value) && Object.values(value).every(isEmpty));

/** Lists of texts come back in any order; numbers may come back as texts and the other way round. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object")
    return a === b || (isScalar(a) && isScalar(b) && String(a) === String(b));
  return isDeepStrictEqual(ordered(a), ordered(b));
}

const isScalar = (value: unknown) => ["string", "number", "bigint", "boolean"].includes(typeof value);

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(ordered);
    return items.every((item) => typeof item === "string") ? items.sort() : items;
  }
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, ordered(item)]),
  );
}

/** The settings with the live values of some fields, so that what somebody changed stays. */
export function withLiveFields<Settings extends Readonly<Record<string, unknown>>>(
  settings: Settings,
  differences: readonly FieldDifference[],
  itemKeys: SettingsShape["itemKeys"],
): Settings {
  const copy = structuredClone(settings) as Record<string, unknown>;
  for (const { path, live } of differences) place(copy, path, live, itemKeys);
  return copy as Settings;
}

function place(
  container: unknown,
  [name = "", ...rest]: readonly string[],
  value: unknown,
  itemKeys: SettingsShape["itemKeys"],
  key = "",
): void {
  const index = Array.isArray(container)
    ? container.findIndex((item) => isMap(item) && item[itemKeys[key] ?? ""] === name)
    : -1;
  if (rest.length > 0) {
    // A part that the settings do not have any more is gone with all its fields.
    const part = Array.isArray(container) ? container[index] : isMap(container) ? container[name] : undefined;
    place(part, rest, value, itemKeys, name);
  } else if (Array.isArray(container)) {
    if (index >= 0) container.splice(index, 1, ...(value === undefined ? [] : [value]));
    else if (value !== undefined) container.push(value);
  } else if (isMap(container)) {
    const map = container as Record<string, unknown>;
    if (value === undefined) delete map[name];
    else map[name] = value;
  }
}
