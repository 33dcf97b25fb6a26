import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml";

/**
 * The contents of an `app.yaml` (https://docs.databricks.com/en/dev-tools/databricks-apps/app-runtime), with two keys
 * of our own.
 */
export interface Manifest {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly env: readonly Variable[];
  /** Any response below 500 there counts as healthy. */
  readonly healthPath: string;
  readonly memoryMb: number | undefined;
}

export type Variable =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly secret: { readonly scope: string; readonly key: string } };

/** The problems of an `app.yaml`, one message each, with its line. */
export class ManifestProblem extends Error {}

const known = ["command", "env", "health_path", "memory_mb"];

export function readManifest(text: string): Manifest {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const problems: string[] = [];
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const tell = (node: Node | null | undefined, problem: string) =>
    void problems.push(`app.yaml, line ${lineAt(node?.range?.[0] ?? 0)}: ${problem}`);
  for (const { message, pos } of document.errors) {
    problems.push(`app.yaml, line ${lineAt(pos[0])}: ${message.split("\n", 1)[0]}`);
  }
  if (problems.length > 0) throw new ManifestProblem(problems.join(" "));
  const top = document.contents;
  if (!isMap<Node, Node | null>(top)) {
    throw new ManifestProblem("app.yaml must be a map with the key command.");
  }

  /** The original text of a scalar: 1.0 stays 1.0. */
  function textOf(node: Node | null | undefined, what: string): string {
    if (isScalar(node) && node.value !== null) {
      return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
    }
    tell(node, `${what} must be a text.`);
    return "";
  }

  function commandOf(node: Node | null): Manifest["command"] {
    if (isScalar(node)) {
      const line = textOf(node, "command");
      if (line.trim() === "") tell(node, "command is empty.");
      return ["sh", "-c", line];
    }
    const words = isSeq<Node>(node) ? node.items.map((item) => textOf(item, "each word of command")) : [];
    const [program = "", ...rest] = words;
    if (program === "") tell(node, "command must be a list of words, or a line for the shell.");
    return [program, ...rest];
  }

  function variableOf(item: Node): Variable | undefined {
    if (!isMap<Node, Node | null>(item))
      return void tell(item, "each of env is a name with value or valueFrom.");
    const fields = new Map(item.items.map((pair) => [String(pair.key), pair.value]));
    const strange = item.items.find(({ key }) => !["name", "value", "valueFrom"].includes(String(key)));
    if (strange)
      return void tell(strange.key, `env has no "${strange.key}"; it has name, value and valueFrom.`);
    const name = textOf(fields.get("name") ?? item, "the name of a variable");
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return void tell(item, `"${name}" is no name of a variable.`);
    if (isOurs(name)) return void tell(item, `${name} is set by Lakehelm.`);
    if (fields.has("value") === fields.has("valueFrom")) {
      return void tell(item, `${name} needs either value or valueFrom.`);
    }
    if (fields.has("value")) return { name, value: textOf(fields.get("value"), `the value of ${name}`) };
    const [, scope, key] = /^([\w.-]+)\/([\w.-]+)$/.exec(textOf(fields.get("valueFrom"), name)) ?? [];
    if (scope === undefined || key === undefined) {
      return void tell(item, `valueFrom of ${name} must be the scope and key of a secret: "scope/key".`);
    }
    return { name, secret: { scope, key } };
  }

  function memoryOf(node: Node | null): number | undefined {
    const size = isScalar(node) ? node.value : undefined;
    if (typeof size === "number" && Number.isInteger(size) && size >= 16) return size;
    return void tell(node, "memory_mb must be a whole number of at least 16.");
  }

  const pairs = new Map<string, Pair<Node, Node | null>>(top.items.map((pair) => [String(pair.key), pair]));
  for (const [key, pair] of pairs) {
    if (!known.includes(key)) tell(pair.key, `"${key}" is not known; known are ${known.join(", ")}.`);
  }
  const given = (key: string) => pairs.get(key)?.value ?? null;
  if (!pairs.has("command")) tell(top, "command is missing.");
  const command = pairs.has("command") ? commandOf(given("command")) : ([""] as const);
  const list = given("env");
  if (pairs.has("env") && !isSeq<Node>(list)) tell(list ?? top, "env must be a list.");
  const env = isSeq<Node>(list) ? list.items.flatMap((item) => variableOf(item) ?? []) : [];
  const healthPath = pairs.has("health_path") ? textOf(given("health_path"), "health_path") : "/health";
  if (!/^\/[\x21-\x7e]*$/.test(healthPath))
    tell(given("health_path"), "health_path must be a path: /health.");
  const memoryMb = pairs.has("memory_mb") ? memoryOf(given("memory_mb")) : undefined;
  if (problems.length > 0) throw new ManifestProblem(problems.join(" "));
  return { command, env, healthPath, memoryMb };
}

const isOurs = (name: string) =>
  /^(?:LAKEHELM_|DATABRICKS_APP_)/.test(name) || ["PORT", "HOME", "TMPDIR"].includes(name);
