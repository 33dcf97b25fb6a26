/** The kind of value that a field takes, derived from an example. */
export type Shape =
  | { readonly kind: "text" | "number" | "boolean" | "lines" }
  | { readonly kind: "list"; readonly item: Shape }
  | {
      readonly kind: "map";
      readonly fields: Readonly<Record<string, Shape>>;
      /** Whether the user chooses the names. */
      readonly isOpen: boolean;
    };

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isLine = (value: unknown) => typeof value === "string" && !value.includes("\n");

/** The shape of the examples, with all fields that any of them has. */
export function shapeOf(...examples: readonly unknown[]): Shape {
  const present = examples.filter((value) => value !== null && value !== undefined);
  const lists = present.filter((value) => Array.isArray(value));
  if (lists.length > 0) {
    const items = lists.flat();
    return items.every(isLine) ? { kind: "lines" } : { kind: "list", item: shapeOf(...items) };
  }
  const maps = present.filter(isMap);
  if (maps.length > 0) {
    const names = [...new Set(maps.flatMap((map) => Object.keys(map)))];
    const fields = names.map((name) => [name, shapeOf(...maps.map((map) => map[name]))] as const);
    // A map that contains only strings may be tags or options, whose names the user chooses.
    const isOpen = maps.every((map) =>
      Object.values(map).every((value) => typeof value === "string" || value === null),
    );
    return { kind: "map", fields: Object.fromEntries(fields), isOpen };
  }
  if (present.some((value) => typeof value === "boolean")) return { kind: "boolean" };
  return { kind: present.some((value) => typeof value === "number") ? "number" : "text" };
}

export function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? value.join("\n") : String(value);
}

/**
 * The value of a text; undefined for an empty text. A text that is not a number is returned as it is, so that the
 * server refuses it.
 */
export function valueOfText({ kind }: Shape, text: string): unknown {
  if (text === "") return undefined;
  if (kind === "lines") return text.split("\n");
  if (kind === "boolean") return text === "true";
  return kind === "number" && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The value without fields that were left out, and without empty lines. */
export function withoutGaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined && item !== "").map(withoutGaps);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutGaps(one)]));
}
