/** A heuristic for integers beyond 2^53. A false match only costs time. */
const mayBeUnsafe = /\d{16}/;

/** JSON.parse that reads integers beyond 2^53 as bigints, because a number would round them. */
export function decodeJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return mayBeUnsafe.test(text) ? new ExactReader(text).value() : value;
}

const token = /[ \t\n\r]*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{},:]|true|false|null)/y;

/** Reads text that JSON.parse has accepted. */
class ExactReader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  private next(): string {
    token.lastIndex = this.at;
    const found = token.exec(this.text)?.[1] ?? "";
    this.at = token.lastIndex;
    return found;
  }

  value(first = this.next()): unknown {
    if (first === "[") return this.array();
    if (first === "{") return this.object();
    return /^-?\d+$/.test(first) && !Number.isSafeInteger(Number(first)) ? BigInt(first) : JSON.parse(first);
  }

  private array(): unknown[] {
    const items: unknown[] = [];
    for (let found = this.next(); found !== "]"; found = this.next()) {
      if (found !== ",") items.push(this.value(found));
    }
    return items;
  }

  private object(): object {
    const members: [string, unknown][] = [];
    for (let found = this.next(); found !== "}"; found = this.next()) {
      if (found === ",") continue;
      const key = JSON.parse(found) as string;
      this.next();
      members.push([key, this.value()]);
    }
    // An own property also for the key __proto__.
    return Object.fromEntries(members);
  }
}

/** JSON.stringify that writes a bigint as digits. */
export function encodeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify throws a TypeError for bigints, and for cycles.
    if (!(error instanceof TypeError)) throw error;
    return encodeExactly(value);
  }
}

function encodeExactly(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => encodeExactly(item) ?? "null").join(",")}]`;
  if (typeof value !== "object" || value === null || isOwnJson(value)) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${encodeExactly(item)}`).join(",")}}`;
}

/** Dates, for example. */
const isOwnJson = (value: object) => "toJSON" in value && typeof value.toJSON === "function";
