/** What kind of value a field takes: learned from an example. */
export type Shape =
  | { readonly kind: "text" | "number" | "boolean" | "lines" }
  | { readonly kind: "list"; readonly item: Shape }
  | {
      readonly kind: "map";
      readonly fields: Readonly<Record<string, Shape>>;
      /** Names are chosen by the caller. */
      readonly isOpen: boolean;
    };

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isLine = (value: unknown) => typeof value === "string" && !value.includes("\n");

/** The shape of values like these: of all fields that any of them has. */
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
    // A map of texts alone may be tags or options, whose names are free.
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

/** The value that a text means; undefined for an empty one. A text that is no number is left to the server to refuse. */
export function valueOfText({ kind }: Shape, text: string): unknown {
  if (text === "") return undefined;
  if (kind === "lines") return text.split("\n");
  if (kind === "boolean") return text === "true";
  return kind === "number" && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Without what was left out, and without empty lines. */
export function withoutGaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined && item !== "").map(withoutGaps);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutGaps(one)]));
}
