import type { DesignFile } from "@lakehelm/codegen";
import type { AutomationDefinition } from "@lakehelm/contract";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { readDefinition } from "./definition-text.ts";
import { triggerFindings } from "./job-trigger.ts";
import { type Lookups, referenceFindings } from "./lookups.ts";
import { checkStatements, type ScriptCheck } from "./statements.ts";
import { missingTriggerTables } from "./trigger-tables.ts";
import { located } from "./validation-finding.ts";

export interface DefinitionCheck {
  /** Each with file, line and column. */
  readonly problems: readonly string[];
  /** The definition, if it has no problem by itself, and the tables of its statements and its trigger. */
  readonly valid?: {
    readonly definition: AutomationDefinition;
    readonly tables: ScriptCheck;
    /** Tables of its trigger that do not exist yet. */
    readonly awaited: readonly string[];
  };
}

interface DefinitionCheckContext {
  readonly lookups: Lookups;
  readonly env: EnvironmentContext;
  readonly signal: AbortSignal;
}

/** Checks the definition by itself, then against existing resources. */
export async function checkDefinition(
  { path, content }: DesignFile,
  maxLength: number,
  { lookups, env, signal }: DefinitionCheckContext,
): Promise<DefinitionCheck> {
  const { written, definition, findings } = readDefinition(content, maxLength);
  const message = located(path, written);
  if (!written || !definition) return { problems: findings.map(message) };

  const references = [
    ...(await referenceFindings(definition, lookups, env)),
    ...triggerFindings(definition, env),
  ];
  if (findings.length > 0) return { problems: [...findings, ...references].map(message) };
  const planContext = { plan: lookups.plan, env, signal };
  const tables = await checkStatements(definition, written, planContext);
  const awaited = await missingTriggerTables(definition, tables.writes, planContext);
  return {
    problems: [...references, ...tables.findings].map(message),
    valid: { definition, tables, awaited },
  };
}
