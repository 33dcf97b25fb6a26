import type { DesignFile } from "@lakehelm/codegen";
import type { AutomationDefinition } from "@lakehelm/contract";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { readDefinition } from "./definition-text.ts";
import { triggerFindings } from "./job-trigger.ts";
import { type Lookups, strangerFindings } from "./lookups.ts";
import { type Judged, judgeStatements } from "./statements.ts";
import { awaitedTables } from "./trigger-tables.ts";
import { located } from "./validation-finding.ts";

export interface DefinitionVerdict {
  /** Each with file, line and column. */
  readonly problems: readonly string[];
  /** The definition, if it has no problem by itself, and the tables of its statements and its trigger. */
  readonly sound?: {
    readonly definition: AutomationDefinition;
    readonly tables: Judged;
    /** Tables of its trigger that do not exist yet. */
    readonly awaited: readonly string[];
  };
}

interface Circumstances {
  readonly lookups: Lookups;
  readonly env: EnvironmentContext;
  readonly signal: AbortSignal;
}

/** Checks the definition by itself, then against existing resources. */
export async function judgeDefinition(
  { path, content }: DesignFile,
  longest: number,
  { lookups, env, signal }: Circumstances,
): Promise<DefinitionVerdict> {
  const { written, definition, findings } = readDefinition(content, longest);
  const told = located(path, written);
  if (!written || !definition) return { problems: findings.map(told) };

  const references = [
    ...(await strangerFindings(definition, lookups, env)),
    ...triggerFindings(definition, env),
  ];
  if (findings.length > 0) return { problems: [...findings, ...references].map(told) };
  const asking = { plan: lookups.plan, env, signal };
  const tables = await judgeStatements(definition, written, asking);
  const awaited = await awaitedTables(definition, tables.writes, asking);
  return {
    problems: [...references, ...tables.findings].map(told),
    sound: { definition, tables, awaited },
  };
}
