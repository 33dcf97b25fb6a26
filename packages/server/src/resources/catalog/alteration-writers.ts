import type { ConsumptionFlowInput, TableAlteration } from "@lakehelm/contract";
import { type ConnectorDefinition, flowFindings, importFindings, sameName } from "@lakehelm/contract/changes";
import type { AlterTableResult } from "@lakehelm/engine";
import { connectorScope, fullTableName, type TableScope } from "../../runtime/platforms/warehouse.ts";
import type { ResourceDefinition } from "../overview/environment-graph.ts";

type Writer = TableAlteration["writers"][number];

/** What the alteration means for each resource that writes the table. */
export const writerFindings = (
  writers: readonly ResourceDefinition[],
  result: AlterTableResult,
  scope: TableScope,
): Writer[] =>
  writers.flatMap(({ kind, name, definition }): Writer[] => {
    const table = result.name.join(".");
    const isIn = (own: TableScope) => (target: string) => fullTableName(target, own) === table;
    if (kind === "connector") {
      const connector = { ...definition, name } as unknown as ConnectorDefinition;
      const found = importFindings(connector, result, isIn(connectorScope(definition, scope)));
      return withDefault({ kind, name }, found, "Its next run writes into the altered table.");
    }
    if (kind === "flow") {
      const flow = { ...definition, flow_name: name } as unknown as ConsumptionFlowInput;
      const found = flowFindings(flow, result, isIn(scope));
      return withDefault({ kind, name }, found, "Its next run writes into the altered table.");
    }
    if (kind === "automation") {
      const isSame =
        result.dropped.length === 0 && result.columns.every((one) => sameName(one.name, one.before.name));
      const sentence = "Its SQL tasks write the table: their statements must fit the altered columns.";
      return [{ kind, name, level: isSame ? "info" : "breaking", sentence }];
    }
    if (kind !== "pipeline") return [];
    const sentence = `The pipeline ${name} makes the table what its code says. Change the code instead.`;
    return [{ kind, name, level: "refused", sentence }];
  });

const withDefault = (
  about: Pick<Writer, "kind" | "name">,
  found: readonly Pick<Writer, "level" | "sentence">[],
  usual: string,
): Writer[] =>
  found.length > 0
    ? found.map((one) => ({ ...about, ...one }))
    : [{ ...about, level: "info", sentence: usual }];
