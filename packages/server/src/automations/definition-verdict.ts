import { cronProblem } from "@lakehelm/codegen/automations";
import type { DesignFile } from "@lakehelm/codegen/content-hash";
import { AutomationDefinition } from "@lakehelm/contract";
import type { Entry } from "@lakehelm/contract/schema";
import type { Place } from "../environments/environments.ts";
import { readYaml } from "../yaml.ts";
import { definitionFindings } from "./definition.ts";
import { secretFindings } from "./design-secrets.ts";
import { type Finding, finding, located, placeOf } from "./finding.ts";
import { type Lookups, strangerFindings } from "./lookups.ts";
import { type Judged, judgeStatements } from "./statements.ts";
import { unknownKeys } from "./unknown-keys.ts";

export interface DefinitionVerdict {
  /** Each with file, line and column. */
  readonly problems: readonly string[];
  /** What it is, where nothing is wrong with it by itself, and the tables of its statements. */
  readonly sound?: { readonly definition: AutomationDefinition; readonly tables: Judged };
}

interface Circumstances {
  readonly lookups: Lookups;
  readonly place: Place;
  readonly signal: AbortSignal;
}

/** From its text to its statements; each judgement needs that what comes before it is sound. */
export async function judgeDefinition(
  { path, content }: DesignFile,
  longest: number,
  { lookups, place, signal }: Circumstances,
): Promise<DefinitionVerdict> {
  const written = readYaml(content, longest);
  if (!("value" in written)) {
    const told = written.problems.map(({ message, ...position }) => ({ ...finding(message), position }));
    return { problems: told.map(located(path, undefined)) };
  }
  const entries: Entry[] = [];
  const definition = AutomationDefinition.check(written.value, [], entries);
  const shape = [...entries.map(ofSchema), ...unknownKeys(written.value), ...secretFindings(written.value)];
  if (entries.length > 0) return { problems: shape.map(located(path, written)) };

  const rules = rulesOf(definition);
  const references = await strangerFindings(definition, lookups, place);
  const isSound = shape.length + rules.length === 0;
  const tables = isSound
    ? await judgeStatements(definition, written, { plan: lookups.plan, place, signal })
    : noTables;
  const findings = [...shape, ...rules, ...references, ...tables.findings];
  return {
    problems: findings.map(located(path, written)),
    ...(rules.length === 0 && { sound: { definition, tables } }),
  };
}

const noTables: Judged = { findings: [], reads: [], writes: [] };

const ofSchema = ({ loc, msg }: Entry): Finding =>
  finding([placeOf(loc), msg].filter(Boolean).join(": "), ...loc);

/** What a schema cannot say, and what Databricks could not run. */
function rulesOf(definition: AutomationDefinition): Finding[] {
  const found = definitionFindings(definition);
  const { schedule } = definition;
  if (!schedule || found.some(({ place: [root] }) => root === "schedule")) return found;
  const problem = cronProblem(schedule.cron);
  return problem === undefined ? found : [...found, finding(problem, "schedule", "cron")];
}
