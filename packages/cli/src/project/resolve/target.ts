import { shown, suggestion } from "@lakehelm/contract/text";
import { schemaFindings } from "../checks/schema-check.ts";
import { MainFile, type MainFile as MainValues } from "../main-file.ts";
import type { LoadedProject } from "../read/load.ts";
import { entryOf, placeOf, placeOfKey, plain, type Tree } from "../read/tree.ts";

/** An environment of the project, with its variables and overrides. */
export interface Target {
  /** The name in the project. */
  readonly name: string;
  /** Whether commands without an environment use this one. */
  readonly isDefault: boolean;
  /** The name or id on the server; undefined: the server's default environment. */
  readonly environment: string | undefined;
  readonly catalog: string;
  readonly schema: string;
  readonly variables: Tree | undefined;
  readonly overrides: Tree | undefined;
}

export interface ProjectSettings {
  readonly name: string;
  readonly owner: string;
  readonly variables: Tree | undefined;
  readonly targets: readonly Target[];
  /** The environment that commands without an environment use. */
  readonly defaultTarget: string | undefined;
}

/** Reads `lakehelm.yaml`. Undefined: it cannot be used, for reasons that are reported as problems. */
export function readSettings({ main, problems }: LoadedProject): ProjectSettings | undefined {
  if (!main) return undefined;
  const value = withoutSchemaKey(plain(main));
  const findings = schemaFindings(MainFile, value);
  for (const { path, message, ofKey } of findings)
    problems.error(ofKey ? placeOfKey(main, path) : placeOf(main, path), message);
  if (findings.length > 0) return undefined;
  const { name, owner = name, environments = {} } = MainFile.check(value, [], []) as MainValues;
  const all = entryOf(main, "environments");
  const defaults = Object.keys(environments).filter((one) => environments[one]?.default);
  const [first, second] = defaults;
  if (second !== undefined)
    problems.error(
      placeOf(all ?? main, [second, "default"]),
      `${shown(String(first))} is the default already.`,
    );
  const names = Object.keys(environments);
  const usual = first ?? (names.length === 1 ? names[0] : undefined);
  const targets = Object.entries(environments).map(([target, settings]): Target => {
    const tree = entryOf(all, target);
    return {
      name: target,
      isDefault: target === usual,
      environment: settings.environment ?? target,
      catalog: settings.catalog ?? "main",
      schema: settings.schema ?? "default",
      variables: entryOf(tree, "variables"),
      overrides: entryOf(tree, "overrides"),
    };
  });
  const variables = entryOf(main, "variables");
  checkVariables(targets, variables, problems);
  return { name, owner, variables, targets, defaultTarget: usual };
}

function checkVariables(
  targets: readonly Target[],
  declared: Tree | undefined,
  problems: LoadedProject["problems"],
): void {
  const known = declared?.kind === "map" ? [...declared.entries.keys()] : [];
  for (const { variables } of targets) {
    if (variables?.kind !== "map") continue;
    for (const [name, { key }] of variables.entries) {
      if (known.includes(name)) continue;
      problems.error(
        key,
        `There is no variable ${shown(name)}.${suggestion(name, known) || " Declare it under variables."}`,
      );
    }
  }
}

/**
 * An environment by its name in the project, or by its name and id on the server; undefined: the default environment.
 */
export type TargetChoice = string | { readonly onServer: readonly string[] } | undefined;

/**
 * Finds the environment. A project without environments uses the server's environment, or any environment that is
 * named.
 */
export function targetOf(settings: ProjectSettings, name: TargetChoice): Target | string {
  const { targets, defaultTarget } = settings;
  const onServer = typeof name === "object" ? name.onServer : undefined;
  if (targets.length === 0) {
    const none = { catalog: "main", schema: "default", variables: undefined, overrides: undefined };
    const given = typeof name === "object" ? name.onServer[0] : name;
    return { ...none, name: given ?? "default", isDefault: given === undefined, environment: given };
  }
  const there = onServer && targets.find(({ environment }) => onServer.includes(environment ?? ""));
  if (there) return there;
  const wanted = typeof name === "object" ? name.onServer[0] : (name ?? defaultTarget);
  const names = targets.map((one) => one.name);
  if (wanted === undefined)
    return `Choose an environment with --env: ${names.join(", ")}. Or mark one with "default: true" in lakehelm.yaml.`;
  const found =
    targets.find((one) => one.name === wanted) ?? targets.find((one) => one.environment === wanted);
  return (
    found ??
    `The project has no environment ${shown(wanted)}.${suggestion(wanted, names) || ` It has ${names.join(", ")}. To add it, name it under environments in lakehelm.yaml.`}`
  );
}

/** JSON files name their schema in a key. */
function withoutSchemaKey(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$schema" in value)) return value;
  const { $schema: _, ...rest } = value;
  return rest;
}
