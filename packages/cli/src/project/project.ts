import { counted, shown } from "@lakehelm/contract/text";
import type { PolicyExample } from "@lakehelm/policy";
import { connectionFindings, connectorFindings } from "./checks/connector-check.ts";
import { cycleIn } from "./checks/cycle.ts";
import { checkLostDeletes } from "./checks/lost-deletes.ts";
import type { ProgramChecks } from "./checks/program-checks.ts";
import { type Finding, schemaFindings } from "./checks/schema-check.ts";
import { secretFindings, secretsOf } from "./checks/secrets.ts";
import { type CodeFile, readCode, writtenLibraryPaths } from "./code-files.ts";
import type { kindOf } from "./kinds.ts";
import { limits } from "./limits.ts";
import { PolicyFile } from "./main-file.ts";
import type { Problem, Problems } from "./problems.ts";
import { UnreadableFile } from "./read/folder.ts";
import { type LoadedProject, loadProject } from "./read/load.ts";
import type { SourceText } from "./read/source-text.ts";
import { entryOf, merged, placeOf, placeOfKey, type Tree } from "./read/tree.ts";
import { createResolver, includesOf, pathKey, type ResolvedResource } from "./resolve/resolver.ts";
import { readSettings, type Target, type TargetChoice, targetOf } from "./resolve/target.ts";

interface ProjectPolicy {
  readonly name: string;
  readonly level: "deny" | "warn" | "approve";
  readonly rule: string;
  readonly message: string;
  readonly file: string;
  readonly examples: readonly PolicyExample[];
}

/** A project with the values of one environment, checked as far as possible without a server. */
export interface Project {
  readonly name: string;
  readonly folder: string;
  readonly target: Target;
  readonly resources: readonly ResolvedResource[];
  readonly policies: readonly ProjectPolicy[];
  readonly code: readonly CodeFile[];
  readonly problems: readonly Problem[];
  readonly moreProblems: number;
  /** Sentences that say what only a server can check. */
  readonly unchecked: readonly string[];
}

export interface ProjectOptions {
  /** The environment; undefined: the project's default. */
  readonly target: TargetChoice;
  readonly variables: ReadonlyMap<string, string>;
  /** Whether a connector whose runs could never succeed is an error. */
  readonly checksConnections?: true;
}

/** Why the project cannot be used: problems of its main file, or a missing choice of an environment. */
export type Unusable = { readonly problems: readonly Problem[]; readonly choice?: string };

export async function openProject(folder: string, options: ProjectOptions): Promise<Project | Unusable> {
  const loaded = await loadProject(folder);
  const settings = readSettings(loaded);
  if (!settings) return { problems: loaded.problems.all() };
  const target = targetOf(settings, options.target);
  if (typeof target === "string") return { problems: loaded.problems.all(), choice: target };
  return resolveProject(loaded, settings, target, options, await programChecks(loaded));
}

async function programChecks({ resources }: LoadedProject): Promise<() => ProgramChecks> {
  const isProgram = resources.some(({ kind }) => ["pipeline", "flow", "automation"].includes(kind.kind));
  const checks = isProgram
    ? await (await import("./checks/program-checks.ts")).loadProgramChecks()
    : undefined;
  return () => {
    if (!checks) throw new Error("A resource without SQL asks for the parser.");
    return checks;
  };
}

/** The names of a project's environments; undefined if its main file cannot be used. */
export async function environmentsOf(folder: string): Promise<readonly string[] | undefined> {
  return readSettings(await loadProject(folder))?.targets.map(({ name }) => name);
}

async function resolveProject(
  loaded: LoadedProject,
  settings: NonNullable<ReturnType<typeof readSettings>>,
  target: Target,
  { variables, checksConnections }: ProjectOptions,
  checks: () => ProgramChecks,
): Promise<Project> {
  const { folder, resources: files, policies, problems } = loaded;
  checkOverrides(loaded, target);
  const texts = await readTexts(loaded, target);
  const pipelines = new Map<ResolvedResource, ReturnType<ProgramChecks["pipeline"]>>();
  const pipelineOf = (resource: ResolvedResource) => {
    const known = pipelines.get(resource) ?? checks().pipeline(resource, target, texts, problems);
    pipelines.set(resource, known);
    return known;
  };
  const resolver = createResolver({
    settings,
    target,
    variables,
    problems,
    files: texts,
    folder: folder.path,
    resources: files,
    incomplete: loaded.incomplete,
    tablesOf: (resource) =>
      resource.kind.kind === "pipeline" ? pipelineOf(resource).tables : writtenTables(resource),
  });
  const resources = files.map(resolver.resolve);
  const unchecked = new Set<string>();
  for (const resource of resources) {
    if (!checkFields(resource, problems)) continue;
    checkResource(resource, { checks, target, problems, unchecked, resources, pipelineOf });
    if (checksConnections && resource.kind.kind === "connector")
      report(resource.tree, connectionFindings(resource), problems);
  }
  checkCycles(resources, problems);
  checkLostDeletes(resources, target, problems);
  const code = await readCode(folder, resources, problems);
  // Loading the policy language takes as long as loading everything else.
  const { policyProblem } = policies.length > 0 ? await import("@lakehelm/policy") : { policyProblem: none };
  if (resources.some(({ kind }) => kind.kind === "connector"))
    unchecked.add("Whether connections work, and what their datasets and columns are.");
  const secrets = secretsOf(resources);
  if (secrets.length > 0)
    unchecked.add(
      `Whether the environment has ${counted(secrets.length, "secret")}: ${secrets.slice(0, 20).join(", ")}${secrets.length > 20 ? ", …" : ""}. lakehelm plan checks it.`,
    );
  if (resources.some(({ kind }) => kind.kind === "flow"))
    unchecked.add(
      "Whether the tables that flows read have the columns of their SQL: lakehelm plan checks it.",
    );
  return {
    name: settings.name,
    folder: folder.path,
    target,
    resources,
    code,
    policies: policies.flatMap(({ name, file, tree }) =>
      policyOf(name, file, tree, resolver.value(tree), policyProblem, problems),
    ),
    problems: problems.all(),
    moreProblems: problems.more,
    unchecked: [...unchecked],
  };
}

/** Reads the files that `${file:…}` and the libraries of pipelines name. */
async function readTexts(
  { folder, resources }: LoadedProject,
  { overrides }: Target,
): Promise<Map<string, SourceText | string>> {
  const paths = new Set<string>();
  for (const { kind, name, tree } of resources) {
    const override = entryOf(entryOf(overrides, kind.folder), name);
    const whole = override ? merged(tree, override) : tree;
    for (const path of includesOf(whole)) paths.add(path);
    if (kind.kind === "pipeline") for (const path of writtenLibraryPaths(whole)) paths.add(path);
  }
  const found = new Map<string, SourceText | string>();
  for (const path of paths) {
    try {
      found.set(path, await folder.text(path, limits.code));
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      found.set(path, error.message);
    }
  }
  return found;
}

/** Reports overrides of resources that the project does not have, because such a name is misspelled. */
function checkOverrides({ resources, incomplete, problems }: LoadedProject, { overrides }: Target): void {
  if (overrides?.kind !== "map") return;
  for (const [folder, { value }] of overrides.entries) {
    if (value.kind !== "map" || incomplete.has(folder)) continue;
    for (const [name, { key }] of value.entries) {
      if (resources.some((one) => one.kind.folder === folder && one.name === name)) continue;
      problems.error(key, `There is no ${shown(name)} in ${folder}/.`);
    }
  }
}

/** The tables of a connector that imports, or the table of a flow, with their names as far as the file has them. */
function writtenTables({ kind, definition }: ResolvedResource): ReadonlyMap<string, string> {
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? [value] : []);
  if (kind.kind === "flow") {
    const [table] = text(definition.target_name);
    const short = table?.split(".").at(-1)?.replaceAll("`", "").toLowerCase();
    return new Map(table !== undefined && short !== undefined ? [[short, table]] : []);
  }
  const { target_type, target_config, datasets } = definition as Record<string, unknown>;
  if (kind.kind !== "connector" || target_type !== "warehouse" || !Array.isArray(datasets)) return new Map();
  const { catalog, schema } = (target_config ?? {}) as Record<string, unknown>;
  // A catalog without a schema would be read as a schema.
  const prefix = text(schema).length > 0 ? [...text(catalog), ...text(schema)] : [];
  return new Map(
    datasets.flatMap((dataset) =>
      text((dataset as Record<string, unknown> | null)?.target_name).map((name) => [
        name.toLowerCase(),
        [...prefix, name].join("."),
      ]),
    ),
  );
}

function report(tree: Tree, findings: readonly Finding[], problems: Problems): void {
  for (const { path, message, ofKey } of findings)
    problems.error(ofKey ? placeOfKey(tree, path) : placeOf(tree, path), message);
}

/** Whether the fields fit the schema of the resource's kind. Later checks rely on this. */
function checkFields(resource: ResolvedResource, problems: Problems): boolean {
  const { kind, tree, definition } = resource;
  const findings = schemaFindings(kind.body, definition, kind.without).filter(
    ({ path }) => !resource.unresolved.has(pathKey(path)),
  );
  report(tree, findings, problems);
  for (const { path, level, message } of secretFindings(resource))
    problems[level](placeOf(tree, path), message);
  return findings.length === 0 && resource.unresolved.size === 0;
}

interface CheckContext {
  checks(): ProgramChecks;
  readonly target: Target;
  readonly problems: Problems;
  readonly unchecked: Set<string>;
  readonly resources: readonly ResolvedResource[];
  pipelineOf(resource: ResolvedResource): ReturnType<ProgramChecks["pipeline"]>;
}

function checkResource(resource: ResolvedResource, context: CheckContext): void {
  const { checks, target, problems, unchecked } = context;
  const { kind, name, definition } = resource;
  if (kind.kind === "connector") {
    for (const { path, message } of connectorFindings(resource))
      problems.warning(placeOf(resource.tree, path), message);
  }
  if (kind.kind === "flow") checks().flow(resource, target, problems);
  if (kind.kind === "pipeline") {
    for (const path of context.pipelineOf(resource).elsewhere)
      unchecked.add(`pipelines.${name}: ${path} is not in the project, so it must be in the workspace.`);
  }
  if (kind.kind === "automation") checkAutomation(resource, context);
  if (kind.kind === "app" && typeof definition.agent === "string")
    checkKnown("agent", definition.agent, resource, context);
}

function checkAutomation(resource: ResolvedResource, context: CheckContext): void {
  report(resource.tree, context.checks().automation(resource), context.problems);
  const { tasks = [] } = (resource.definition.definition ?? {}) as {
    tasks?: { kind: string; query?: string; reference?: string; name: string }[];
  };
  for (const [at, { kind, name, query, reference }] of tasks.entries()) {
    if (kind === "sql" && query) {
      const path = ["definition", "tasks", at, "query"];
      if (!query.includes("{{"))
        context.checks().script(resource, path, query, context.target, context.problems);
      else
        context.unchecked.add(
          `automations.${resource.name}: the SQL of the task ${name}, which has placeholders.`,
        );
    }
    const referred = ["flow", "connector", "pipeline", "agent", "automation"].find((one) => one === kind);
    if (referred && reference && !reference.includes("{{"))
      checkKnown(referred as Parameters<typeof kindOf>[0], reference, resource, context);
  }
}

/** A name without a reference may also mean a resource that only the server has. */
function checkKnown(
  kind: Parameters<typeof kindOf>[0],
  name: string,
  { kind: { folder }, name: own }: ResolvedResource,
  { resources, unchecked }: CheckContext,
): void {
  if (resources.some((one) => one.kind.kind === kind && one.name === name)) return;
  unchecked.add(
    `${folder}.${own}: the ${kind} ${shown(name)} is not in the project, so it must be on the server.`,
  );
}

/** Reports cycles of resources that refer to each other, and of automations that call each other. */
function checkCycles(resources: readonly ResolvedResource[], problems: Problems): void {
  const graph = new Map(
    resources.map(({ kind, name, dependsOn, definition }) => {
      const { tasks = [] } = (kind.kind === "automation" ? (definition.definition ?? {}) : {}) as {
        tasks?: { kind?: string; reference?: string }[];
      };
      const called = Array.isArray(tasks)
        ? tasks
            .filter((task) => task?.kind === "automation")
            .map(({ reference }) => `automations.${reference}`)
        : [];
      return [`${kind.folder}.${name}`, new Set([...dependsOn.keys(), ...called])] as const;
    }),
  );
  const cycle = cycleIn(graph);
  if (!cycle) return;
  const [first = "", second = ""] = cycle;
  const resource = resources.find(({ kind, name }) => `${kind.folder}.${name}` === first);
  if (!resource) return;
  const place = resource.dependsOn.get(second) ?? resource.tree;
  problems.error(place, `References form a cycle: ${cycle.slice(0, 10).join(" → ")}.`);
}

const none = (_rule: string): string | undefined => undefined;

function policyOf(
  name: string,
  file: string,
  tree: Tree,
  value: unknown,
  problemOf: (rule: string) => string | undefined,
  problems: Problems,
): ProjectPolicy[] {
  const findings = schemaFindings(PolicyFile, value);
  report(tree, findings, problems);
  if (findings.length > 0) return [];
  const { level, rule, message, examples = [] } = PolicyFile.check(value, [], []);
  const wrong = problemOf(rule);
  if (wrong !== undefined) problems.error(placeOf(tree, ["rule"]), `rule: ${wrong}`);
  return [{ name, level, rule, message, file, examples }];
}
