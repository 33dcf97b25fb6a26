import { readFile } from "node:fs/promises";
import { parse, parseDocument } from "yaml";
import { type Io, readAll } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** The bytes of a file; `-` is the standard input. */
export async function readInput({ stdin }: Io, path: string): Promise<Buffer> {
  if (path === "-") return readAll(stdin);
  return readFile(path).catch((error) => {
    throw new UsageError(`${path} cannot be read (${error.code}).`);
  });
}

/** Reads a document in YAML or JSON: every JSON document is also YAML. */
export async function readDocument(io: Io, path: string): Promise<unknown> {
  const text = (await readInput(io, path)).toString("utf8");
  const name = path === "-" ? "The standard input" : path;
  const document = parseDocument(text, { intAsBigInt: true, prettyErrors: true });
  const [error] = document.errors;
  if (error) throw new UsageError(`${name} is not YAML or JSON. ${error.message}`);
  const value = smallIntegers(document.toJS());
  if (value === null) throw new UsageError(`${name} is empty.`);
  return value;
}

/** A field of a request and its value. */
export interface Assignment {
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * Reads `target_config.host=db` as a path and a value. The value is YAML: `true`, `5`, `null`, `[a, b]`, or a string. A
 * reference to a secret is read as a string, because in YAML it would be an object.
 */
export function readAssignment(text: string): Assignment {
  const equals = text.indexOf("=");
  if (equals < 1)
    throw new UsageError(`--set ${text}: write a field, "=" and a value, such as target_config.port=5432.`);
  const path = text.slice(0, equals).split(".");
  const value = text.slice(equals + 1);
  if (value.startsWith("{{")) return { path, value };
  try {
    return { path, value: smallIntegers(parse(value, { intAsBigInt: true })) };
  } catch {
    return { path, value };
  }
}

/**
 * Turns bigints that fit into numbers. The YAML library reads all integers as bigints, so that large ones keep all
 * digits.
 */
function smallIntegers(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(smallIntegers);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, smallIntegers(item)]));
}

/** Sets a field of a document. Missing maps on the path are created; a list or a scalar on the path is an error. */
export function assign(document: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = "", ...rest] = path;
  if (rest.length === 0) {
    Object.defineProperty(document, key, { value, enumerable: true, writable: true, configurable: true });
    return;
  }
  const inner = Object.hasOwn(document, key) ? document[key] : undefined;
  if (inner !== undefined && inner !== null && (typeof inner !== "object" || Array.isArray(inner))) {
    throw new UsageError(`--set ${path.join(".")}: ${key} is not an object.`);
  }
  const next = (inner ?? {}) as Record<string, unknown>;
  Object.defineProperty(document, key, { value: next, enumerable: true, writable: true, configurable: true });
  assign(next, rest, value);
}
