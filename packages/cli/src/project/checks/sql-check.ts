import { type ConsumptionFlowInput, endpoints } from "@lakehelm/contract";
import { readFlow } from "@lakehelm/flows";
import type { loadSqlParser } from "@lakehelm/sql";
import { planPipeline, readScript } from "@lakehelm/sql/pipelines";
import { libraryPaths } from "../code-files.ts";
import type { Problems } from "../problems.ts";
import type { SourceText } from "../read/source-text.ts";
import type { Path } from "../read/tree.ts";
import type { ResolvedResource } from "../resolve/resolver.ts";
import type { Target } from "../resolve/target.ts";
import { flowProblem, placeIn } from "./flow-problem.ts";

export type SqlParser = Awaited<ReturnType<typeof loadSqlParser>>;

/** Checks a flow as the server does, as far as that is possible without a server. */
export function checkFlow(
  parser: SqlParser,
  resource: ResolvedResource,
  target: Target,
  problems: Problems,
): void {
  const input = endpoints.createFlow.body.check(resource.definition, [], []) as ConsumptionFlowInput;
  const { problems: found = [] } = readFlow(input, target, parser);
  for (const sentence of found) {
    const { place, message } = flowProblem(resource, sentence);
    problems.error(place, message);
  }
}

interface PipelineTables {
  /** The tables that the pipeline makes, by their short names in lower case. */
  readonly tables: ReadonlyMap<string, string>;
  /** Libraries that are not files of the project. */
  readonly elsewhere: readonly string[];
}

/** Checks the SQL of a pipeline, and finds the tables that the pipeline makes. */
export function checkPipeline(
  parser: SqlParser,
  { definition }: ResolvedResource,
  target: Target,
  files: ReadonlyMap<string, SourceText | string>,
  problems: Problems,
): PipelineTables {
  const paths = libraryPaths(definition);
  const sources = paths.flatMap((path) => {
    const source = files.get(path);
    return source === undefined || typeof source === "string" ? [] : [{ path, text: source.text }];
  });
  const elsewhere = paths.filter((path) => !sources.some((source) => source.path === path));
  if (sources.length === 0) return { tables: new Map(), elsewhere };
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  const { problems: found = [], names } = planPipeline(parser, sources, {
    catalog: text(definition.catalog) ?? target.catalog,
    schema: text(definition.schema) ?? text(definition.target) ?? target.schema,
    configuration: (definition.configuration ?? {}) as Record<string, string>,
    tables: new Map(),
    othersExist: true,
  });
  for (const { path, line, column, message } of found)
    problems.add({ file: path, line, column, level: "error", message: sentence(message) });
  const tables = new Map(names.map((name) => [name.split(".").at(-1) ?? name, name]));
  return { tables, elsewhere };
}

/** The parser's messages begin in lower case, after a position. */
const sentence = (message: string) => message.charAt(0).toUpperCase() + message.slice(1);

/**
 * Checks the SQL statements of a task. Statements with placeholders are skipped, because they are known only when the
 * task runs.
 */
export function checkScript(
  parser: SqlParser,
  resource: ResolvedResource,
  path: Path,
  query: string,
  target: Target,
  problems: Problems,
): void {
  const rules = {
    path: "",
    catalog: target.catalog,
    schema: target.schema,
    configuration: {},
    tables: new Map(),
    othersExist: true as const,
  };
  for (const { line, column, message } of readScript(parser, query, rules).problems ?? [])
    problems.error(placeIn(resource, path, line, column), `${path.at(-1)}: ${message}`);
}
