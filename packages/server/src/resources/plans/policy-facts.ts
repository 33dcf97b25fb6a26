import type { ConsumptionFlowInput, Environment, PlanPolicy } from "@lakehelm/contract";
import { type PolicyInput, type PolicyTable, usesVariable } from "@lakehelm/policy";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { findTable } from "../../runtime/platforms/table-metadata.ts";
import type { PlannedStep, UsedTables } from "./planner.ts";

/** Looks up facts that only some policies use, because this needs files and the catalog. */
export type PolicyFacts = (
  environment: Environment,
  policies: readonly PlanPolicy[],
) => {
  tables(step: PlannedStep): Promise<PolicyInput["tables"]>;
  sql(step: PlannedStep): Promise<PolicyInput["sql"]>;
};

/** For all steps of a plan together. Facts that are not known by then count against the plan. */
const totalMs = 10_000;
const maxTables = 2_000;
const maxCharacters = 16 * 1024 * 1024;

type Described = Awaited<ReturnType<typeof findTable>>;

export const policyFacts =
  (open: (environmentId: string) => Promise<EnvironmentContext>): PolicyFacts =>
  (environment, policies) => {
    const isUsed = (name: string) => policies.some(({ rule }) => usesVariable(rule, name));
    const uses = { tables: isUsed("tables"), sql: isUsed("sql") };
    const signal = AbortSignal.timeout(totalMs);
    const ended = new Promise<never>((_, reject) =>
      signal.addEventListener(
        "abort",
        () => reject(new Error(`it took longer than ${totalMs / 1000} seconds`)),
        { once: true },
      ),
    );
    ended.catch(() => undefined);
    const known = new Map<string, Promise<Described>>();
    let characters = 0;

    async function describe(name: string): Promise<Described> {
      const { platform } = await open(environment.id);
      if (!platform.warehouse?.catalog)
        throw new Error(`the platform ${platform.name} does not say which columns there are`);
      const [catalog = "", schema = "", ...table] = name.split(".");
      return findTable(platform, environment.id, { catalog, schema, table: table.join(".") });
    }

    async function tableOf(name: string, { reads, writes, flowOf }: UsedTables): Promise<PolicyTable> {
      if (known.size >= maxTables && !known.has(name))
        throw new Error(`policies see at most ${maxTables} tables of a plan`);
      const found = await Promise.race([known.getOrInsertComputed(name, () => describe(name)), ended]);
      const columns = new Map(
        Object.entries(found?.columns ?? {}).map(([column, { tags }]) => [column, tags]),
      );
      const flow = flowOf(name);
      // The next run of the flow writes these tags.
      for (const [column, tags] of flow ? declaredTags(flow as unknown as ConsumptionFlowInput) : [])
        columns.set(column, { ...columns.get(column), ...tags });
      return {
        ...{ name, reads: reads.includes(name), writes: writes.includes(name), exists: found !== undefined },
        tags: found?.tags ?? {},
        columns: [...columns].map(([column, tags]) => ({ name: column, tags: tags ?? {} })),
      };
    }

    return {
      async tables(step) {
        if (!uses.tables) return [];
        const used = step.tables();
        const about = `It is not known which tables ${step.step.kind} ${step.step.name} uses`;
        if (!used.isKnown) return { notKnown: `${about}, because its code cannot be read.` };
        try {
          const tables: PolicyTable[] = [];
          for (const name of new Set([...used.reads, ...used.writes])) tables.push(await tableOf(name, used));
          return tables;
        } catch (error) {
          return { notKnown: `${about} with which columns: ${(error as Error).message}.` };
        }
      },
      async sql(step) {
        if (!uses.sql) return [];
        const about = `The SQL of ${step.step.kind} ${step.step.name} is not known`;
        try {
          const sources = await Promise.race([step.sql(), ended]);
          if (!sources) return { notKnown: `${about}: a file of it cannot be read.` };
          for (const { text } of sources) characters += text.length;
          if (characters > maxCharacters)
            return { notKnown: `${about}: policies see at most 16 MB of SQL of a plan.` };
          return sources.map(({ path, text }) => ({ path, text }));
        } catch (error) {
          return { notKnown: `${about}: ${(error as Error).message}.` };
        }
      },
    };
  };

/** The tags that a flow sets in each run. */
const declaredTags = ({ target_schema }: ConsumptionFlowInput) =>
  target_schema.columns.map(
    ({ name, pii, glossary_terms }) =>
      [
        name.toLowerCase(),
        {
          ...(pii && { pii: "true" }),
          ...(glossary_terms?.length && { glossary_terms: glossary_terms.join(", ") }),
        },
      ] as const,
  );
