import type { AutomationDefinition, AutomationTask } from "@lakehelm/contract";
import { toQuartz } from "@lakehelm/schedule";
import { fileSlug } from "@lakehelm/sql/names";
import type { Artifact } from "../artifact.ts";
import { developmentPresets } from "../bundle.ts";
import { referenceProblems } from "../evidence/references.ts";
import { mainFile, readBundle } from "../evidence/yaml/bundle.ts";
import { bundlePartProblems } from "../evidence/yaml/bundle-rules.ts";
import { yamlText } from "../text/yaml.ts";
import { automationJob, isNotebook, type VariableOf } from "./job.ts";
import { type NotebookKind, taskNotebook } from "./notebooks.ts";
import { taskFile, taskValuesOf } from "./task-file.ts";

/**
 * A definition as a Databricks bundle. The bundle is the same for every environment: differences are targets and
 * variables, so that one design can be promoted from one environment to the next.
 */
export function automationBundle(alias: string, definition: AutomationDefinition): Artifact[] {
  const key = resourceKey(alias);
  const { variables, variableOf } = lookups();
  const job = automationJob(alias, definition, variableOf);
  const taskValues = taskValuesOf(definition);
  const tasks = definition.tasks.filter(({ kind }) => isNotebook(kind));
  const kinds = [...new Set(tasks.map(({ kind }) => kind))].filter(isNotebook).sort();
  return [
    main(key, variables),
    {
      path: jobPath,
      content: yamlText([`The automation ${fileSlug(alias)}.`], { resources: { jobs: { [key]: job } } }),
      fileType: "yaml",
      about: "The automation as a job.",
    },
    ...kinds.map((kind: NotebookKind) => taskNotebook(kind)),
    ...tasks.map((task) => taskFile(task, taskValues)),
  ];
}

/** All problems for which the deployment of a bundle would fail, each with its path. */
export function automationBundleProblems(artifacts: readonly Artifact[]): string[] {
  const bundle = readBundle(artifacts);
  const byPath = new Map(artifacts.map((artifact) => [artifact.path, artifact]));
  return bundle.parts.flatMap((part) => {
    const problems =
      part.problems.length > 0
        ? part.problems
        : [...bundlePartProblems(part, bundle), ...referenceProblems(part, bundle, byPath).problems];
    return problems.map((problem) => `${part.path}: ${problem}`);
  });
}

/** Why Databricks does not support a cron expression; undefined if it does. */
export function cronProblem(cron: string): string | undefined {
  const converted = toQuartz(cron);
  return "problem" in converted ? converted.problem : undefined;
}

const resourceKey = (alias: string) => {
  const slug = fileSlug(alias);
  return /^[a-z]/.test(slug) ? slug : `n-${slug}`;
};

const jobPath = "resources/automation.job.yml";

type BundleVariables = Record<string, object>;

/** A job or pipeline that a task runs, and the variable of the bundle that has its id. */
export interface AutomationReference {
  readonly kind: AutomationTask["kind"];
  readonly name: string;
  readonly variable: string;
}

/** The jobs and pipelines that the tasks of a definition run. */
export function automationReferences(definition: AutomationDefinition): readonly AutomationReference[] {
  const { references, variableOf } = lookups();
  automationJob("", definition, variableOf);
  return references;
}

/**
 * Variables that look up existing jobs and pipelines by name. A developer's copy starts the developer's copies of other
 * jobs, not those of production.
 */
function lookups(): {
  variables: BundleVariables;
  variableOf: VariableOf;
  references: AutomationReference[];
} {
  const variables: BundleVariables = {};
  const references: AutomationReference[] = [];
  const known = new Map<string, string>();
  const variableOf: VariableOf = (kind, name) => {
    const what = `${kind} ${JSON.stringify(name)}`;
    const variable = known.get(what) ?? `${kind}_${known.size + 1}`;
    if (!known.has(what)) references.push({ kind, name, variable });
    known.set(what, variable);
    const lookup = { [kind === "pipeline" ? "pipeline" : "job"]: `\${var.name_prefix}${name}` };
    variables[variable] = { description: `The id of the ${what}.`, lookup };
    return variable;
  };
  return { variables, variableOf, references };
}

const workspace = {
  root_path: "/Workspace/Users/${workspace.current_user.userName}/.bundle/${bundle.name}/${bundle.target}",
};

const tagsOf = (environment: string) => ({ environment, managed_by: "lakehelm" });

const namePrefix = { description: "Begins the names of the jobs and pipelines that tasks run.", default: "" };

const main = (key: string, variables: BundleVariables): Artifact => ({
  path: mainFile,
  content: yamlText(["The bundle of one automation."], {
    bundle: { name: key },
    include: [jobPath],
    variables: {
      catalog: { description: "Completes names of tables.", default: "main" },
      schema: { description: "Completes names of tables.", default: "default" },
      ...(Object.keys(variables).length > 0 && { name_prefix: namePrefix }),
      ...variables,
    },
    targets: {
      dev: {
        mode: "development",
        default: true,
        workspace,
        variables: {
          catalog: "main_dev",
          ...(Object.keys(variables).length > 0 && { name_prefix: developmentPresets.name_prefix }),
        },
        presets: { ...developmentPresets, tags: tagsOf("dev") },
      },
      prod: { mode: "production", workspace, presets: { tags: tagsOf("prod") } },
    },
  }),
  fileType: "yaml",
  about: "The bundle of one automation.",
});
