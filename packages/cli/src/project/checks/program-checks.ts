import { loadSqlParser } from "@lakehelm/sql";
import type { Problems } from "../problems.ts";
import type { SourceText } from "../read/source-text.ts";
import type { Path } from "../read/tree.ts";
import type { ResolvedResource } from "../resolve/resolver.ts";
import type { Target } from "../resolve/target.ts";
import { automationFindings } from "./automation-check.ts";
import { checkFlow, checkPipeline, checkScript } from "./sql-check.ts";

export type ProgramChecks = Awaited<ReturnType<typeof loadProgramChecks>>;

/**
 * Loads the checks of SQL and schedules, which takes 0.2 s; projects without pipelines, flows and automations do not
 * need them.
 */
export async function loadProgramChecks() {
  const parser = await loadSqlParser();
  return {
    flow: (resource: ResolvedResource, target: Target, problems: Problems) =>
      checkFlow(parser, resource, target, problems),
    pipeline: (
      resource: ResolvedResource,
      target: Target,
      texts: ReadonlyMap<string, SourceText | string>,
      problems: Problems,
    ) => checkPipeline(parser, resource, target, texts, problems),
    script: (resource: ResolvedResource, path: Path, sql: string, target: Target, problems: Problems) =>
      checkScript(parser, resource, path, sql, target, problems),
    automation: automationFindings,
  };
}
