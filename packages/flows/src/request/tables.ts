import type { ConsumptionFlowInput } from "@lakehelm/contract";
import { shown } from "@lakehelm/contract/text";
import { type NameDefaults, plainName, readTableName, type TableName } from "@lakehelm/sql/names";
import { ownPrefix, qualityTable, recheckedTable, unmatchedTable } from "../flow.ts";
import { rebuiltTable } from "../rebuild.ts";

export interface RequestTables {
  readonly target: TableName | null;
  /** All sources except the flow's own unmatched table, which a caller can list as a source of recheck_sql. */
  readonly sources: readonly TableName[];
}

export function readTables(
  request: ConsumptionFlowInput,
  defaults: NameDefaults,
  problems: string[],
): RequestTables {
  const read = (text: string, what: string): TableName[] => {
    const name = readTableName(text, defaults, what);
    if (!("problem" in name)) return [name];
    problems.push(name.problem);
    return [];
  };
  const [target = null] = read(request.target_name, "target_name");
  const longest = target && plainName(recheckedTable(target)).split(".").at(-1);
  if (longest && [...longest].length > 255) {
    problems.push("target_name: it is too long for the flow's other tables, such as <target>_unmatched.");
  }
  const sources = request.source_tables.flatMap((text, at) => {
    const [name] = read(text, `source_tables[${at}]`);
    const problem = name && sourceProblem(name, target);
    if (problem) problems.push(`source_tables[${at}]: ${problem}`);
    return name && !problem ? [name] : [];
  });
  const unmatched = target && plainName(unmatchedTable(target));
  const once = new Map(sources.map((name) => [plainName(name), name]));
  if (unmatched) once.delete(unmatched);
  return { target, sources: [...once.values()] };
}

function sourceProblem(name: TableName, target: TableName | null): string | undefined {
  const plain = plainName(name);
  if (name.table.toLowerCase().startsWith(ownPrefix)) {
    return `tables whose names begin with "${ownPrefix}" conflict with the flow's own views.`;
  }
  if (!target) return undefined;
  if (plain === plainName(target))
    return `${shown(plain)} is the flow's own target. Expected the tables it reads.`;
  const own = [recheckedTable(target), qualityTable(target), rebuiltTable(target)].map(plainName);
  return own.includes(plain) ? `${shown(plain)} is a table that the flow writes itself.` : undefined;
}
