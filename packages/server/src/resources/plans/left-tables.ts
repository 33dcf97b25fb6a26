import { leftTablesRule, type PlanFinding } from "@lakehelm/contract";
import type { EnvironmentContext } from "../../runtime/platforms/environment-context.ts";
import { describeTable } from "../../runtime/platforms/table-metadata.ts";
import type { PlanSurroundings } from "./plan-surroundings.ts";
import type { BuiltPlan } from "./planner.ts";

const maxAsked = 100;
const maxShown = 10;
const totalMs = 15_000;

/** Warnings about tables that a plan leaves with their rows, and that nothing writes any more. */
export async function leftTableFindings(
  { steps, left }: Pick<BuiltPlan, "steps" | "left">,
  { unknown }: Pick<PlanSurroundings, "unknown">,
  open: () => Promise<EnvironmentContext>,
): Promise<PlanFinding[]> {
  const found = left();
  if (found.size === 0) return [];
  const all = [...new Set([...found.values()].flat())];
  const missing = await missingOf(all.slice(0, maxAsked), open);
  return steps.flatMap(({ step: { position, kind, name, action } }) => {
    const tables = (found.get(position) ?? []).filter((table) => !missing.has(table));
    if (tables.length === 0) return [];
    const more = tables.length > maxShown ? `, and ${tables.length - maxShown} more` : "";
    const [what, stay, them] =
      tables.length === 1
        ? ["This table", "stays with its rows", "it"]
        : ["These tables", "stay with their rows", "them"];
    const place =
      kind === "pipeline" && action === "update"
        ? `to the SQL of the pipeline, to which ${tables.length === 1 ? "it belongs" : "they belong"}`
        : "to an SQL task of an automation";
    const command = `DROP TABLE ${quoted(tables[0] ?? "")}`;
    const who = unknown.length > 0 ? "Nothing whose code can be read writes" : "Nothing writes";
    const message = `${who} ${tables.slice(0, maxShown).join(", ")}${more} any more when the plan is done. ${what} ${stay}. To remove ${them}, add ${command}${tables.length > 1 ? " and so on" : ""} ${place}.`;
    return [{ policy: leftTablesRule, level: "warn" as const, position, kind, name, message }];
  });
}

/** Tables that no run has made yet. None if the catalog does not answer. */
async function missingOf(
  tables: readonly string[],
  open: () => Promise<EnvironmentContext>,
): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  const signal = AbortSignal.timeout(totalMs);
  const ended = new Promise<"ended">((resolve) =>
    signal.addEventListener("abort", () => resolve("ended"), { once: true }),
  );
  try {
    const { platform, environment } = await open();
    if (!platform.warehouse?.catalog) return missing;
    for (const full of tables) {
      const [catalog = "", schema = "", ...rest] = full.split(".");
      const table = rest.join(".");
      const known = await Promise.race([
        describeTable(platform, environment.id, { catalog, schema, table }),
        ended,
      ]);
      if (known === "ended") break;
      if (!known) missing.add(full);
    }
  } catch {
    // If the platform does not answer, all tables count as existing.
  }
  return missing;
}

const quoted = (full: string) =>
  full
    .split(".")
    .map((part) => (/^\w+$/.test(part) ? part : `\`${part.replaceAll("`", "``")}\``))
    .join(".");
