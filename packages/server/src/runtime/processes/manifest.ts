import * as s from "@lakehelm/contract/schema";
import { readYaml } from "../../core/yaml/read.ts";

/**
 * The contents of an `app.yaml` (https://docs.databricks.com/en/dev-tools/databricks-apps/app-runtime), with two keys
 * of our own.
 */
export interface Manifest {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly env: readonly Variable[];
  /** The path of the health check: any response status below 500 counts as healthy. */
  readonly healthPath: string;
  readonly memoryMb: number | undefined;
}

export type Variable =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly secret: { readonly scope: string; readonly key: string } };

/** The problems of an `app.yaml`, one message each, with its line. */
export class ManifestProblem extends Error {}

const text = (name: string) => s.string().message(`${name} must be a string.`);

const command = s.choice(
  "Command",
  (written) => (typeof written === "string" ? 0 : 1),
  s
    .string()
    .refine((line) => (line.trim() === "" ? "command is empty." : undefined))
    .transform((line): Manifest["command"] => ["sh", "-c", line]),
  s
    .list(s.string())
    .refine(([program = ""]) => (program === "" ? "command must begin with a program." : undefined))
    .message("command must be a list of strings or a shell command.")
    .transform(([program = "", ...rest]): Manifest["command"] => [program, ...rest]),
);

const secretReference = /^([\w.-]+)\/([\w.-]+)$/;

const variable = s
  .object(
    { name: text("name"), value: text("value").optional(), valueFrom: text("valueFrom").optional() },
    { closed: (key: string) => `env has no "${key}"; it has name, value and valueFrom.` },
  )
  .refine(({ name, value, valueFrom }) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `"${name}" is not a valid variable name.`;
    if (isOurs(name)) return `${name} is set by Lakehelm.`;
    if ((value === undefined) === (valueFrom === undefined))
      return `${name} needs either value or valueFrom.`;
    if (valueFrom === undefined || secretReference.test(valueFrom)) return undefined;
    return `valueFrom of ${name} must be the scope and key of a secret: "scope/key".`;
  })
  .transform(({ name, value, valueFrom = "" }): Variable => {
    if (value !== undefined) return { name, value };
    const [, scope = "", key = ""] = secretReference.exec(valueFrom) ?? [];
    return { name, secret: { scope, key } };
  });

const fields = {
  command,
  env: s.list(variable).default([]),
  health_path: s
    .string({ pattern: /^\/[\x21-\x7e]*$/ })
    .message("health_path must be a path: /health.")
    .default("/health"),
  memory_mb: s
    .integer({ mode: "digits", ge: 16 })
    .message("memory_mb must be a whole number of at least 16.")
    .optional(),
};

const manifest = s.object(fields, {
  closed: (key: string) => `Unknown key "${key}". Known keys: ${Object.keys(fields).join(", ")}.`,
});

export async function readManifest(source: string): Promise<Manifest> {
  const yaml = await readYaml(source, { owner: "app.yaml", mode: "text" });
  if ("problems" in yaml) throw problemOf(yaml.problems);
  const errors: s.ValidationError[] = [];
  const read = manifest.check(yaml.value, [], errors);
  if (errors.length > 0) {
    throw problemOf(
      errors.map((error) => {
        const { line } =
          error.type === "extra_forbidden" ? yaml.positionOfKey(error.loc) : yaml.positionOf(error.loc);
        return { line, message: sentenceOf(error) };
      }),
    );
  }
  return { command: read.command, env: read.env, healthPath: read.health_path, memoryMb: read.memory_mb };
}

const problemOf = (problems: readonly { readonly line: number; readonly message: string }[]) =>
  new ManifestProblem(problems.map(({ line, message }) => `app.yaml, line ${line}: ${message}`).join(" "));

function sentenceOf({ type, loc, msg }: s.ValidationError): string {
  switch (type) {
    case "missing":
      return `${loc.at(-1)} is missing.`;
    case "list_type":
      return `${loc.at(-1)} must be a list.`;
    case "model_attributes_type":
      return loc.length === 0
        ? "It must be a map with the key command."
        : "Each item of env must be a map with name and value or valueFrom.";
    default:
      return msg;
  }
}

const isOurs = (name: string) =>
  /^(?:LAKEHELM_|DATABRICKS_APP_)/.test(name) || ["PORT", "HOME", "TMPDIR"].includes(name);
