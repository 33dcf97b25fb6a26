import { withEnvironment } from "./commands.ts";

/**
 * How far a change of a definition goes: descriptions and schedules; additions; something that existing rows depend on.
 */
export const changeKinds = ["metadata", "additive", "breaking"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What becomes of a table. */
export const changeEffects = [
  "none",
  "apply",
  "update",
  "add_columns",
  "drop_columns",
  "reload",
  "rebuild",
  "refuse",
  "create",
  "leave",
] as const;
export type ChangeEffect = (typeof changeEffects)[number];

/** What a change of a definition leads to, for one table. */
export interface Consequence {
  /** Full name of the table; null: the change is about no table. */
  readonly table: string | null;
  readonly kind: ChangeKind;
  readonly effect: ChangeEffect;
  readonly sentence: string;
  /** The command that does more than the next run does by itself; null: none exists. */
  readonly command: string | null;
}

/** Adds the environment of the change to the commands of its consequences. */
export const inEnvironment = <Change extends Pick<Consequence, "sentence" | "command">>(
  consequences: readonly Change[],
  environment: string,
): Change[] =>
  consequences.map((one) => ({
    ...one,
    sentence: withEnvironment(one.sentence, environment),
    command: one.command && withEnvironment(one.command, environment),
  }));

export const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
export const hasName = (names: readonly string[], one: string): boolean =>
  names.some((name) => sameName(name, one));
export const without = (names: readonly string[], others: readonly string[]): string[] =>
  names.filter((name) => !hasName(others, name));
/** The order of a key does not matter. */
export const sameNames = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name) => hasName(others, name));

/** Whether two JSON values are the same. An absent key is the same as null. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  if (!isObject(one) || !isObject(other)) return (one ?? null) === (other ?? null);
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) =>
    isSame(one[key], other[key]),
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const listed = (names: readonly string[]): string => names.join(", ") || "none";
