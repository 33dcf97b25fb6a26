import { setTypeCommand } from "./commands.ts";
import { type ConnectorDefinition, readDatasets } from "./connector-change.ts";
import { hasName, sameName } from "./consequence.ts";
import { declaredType, type FlowDefinition, flowShape, namesOf } from "./flow-shape.ts";
import type { AlteredColumn, AlteredTable } from "./table-alteration.ts";

/** A column of the altered table, and which values its new type holds. */
export interface PlannedColumn extends AlteredColumn {
  /** The new type can represent every value of the former type. */
  readonly holdsAll: boolean;
  /** Like `holdsAll`, and values keep their order and equality. */
  readonly widens: boolean;
}

/** An alteration, with the name and the columns of its table. */
export interface PlannedAlteration extends AlteredTable {
  readonly name: readonly [catalog: string, schema: string, table: string];
  readonly columns: readonly PlannedColumn[];
  /** The columns that imports have written; null: not known. */
  readonly imported: readonly string[] | null;
}

/** What an alteration means for the resources that write the table. */
export interface AlterationFinding {
  /** `breaking` needs the caller's consent; `refused` cannot be done. */
  readonly level: "info" | "breaking" | "refused";
  readonly sentence: string;
}

const finding = (level: AlterationFinding["level"], sentence: string): AlterationFinding => ({
  level,
  sentence,
});
/** Writers and readers find a column whatever the case of its name. */
const renamed = ({ columns }: PlannedAlteration) =>
  columns.filter(({ name, before }) => !sameName(name, before.name));
const retyped = ({ columns }: PlannedAlteration) =>
  columns.filter(({ type, before }) => type !== before.type);

/** The findings for each dataset of a connector that writes the table. Runs write columns by name, in any order. */
export function importFindings(
  connector: ConnectorDefinition,
  planned: PlannedAlteration,
  isTarget: (target: string) => boolean,
): AlterationFinding[] {
  const { name: connectorName } = connector;
  return readDatasets(connector)
    .filter(({ target }) => isTarget(target))
    .flatMap(({ source, target, shape, definition, readsLog }) => {
      const roleOf = (column: string): string | undefined =>
        hasName(shape.keys, column)
          ? "a primary key"
          : sameName(shape.watermark ?? "", column)
            ? "the watermark"
            : undefined;
      const isWritten = (column: string) =>
        !hasName(shape.leftOut ?? [], column) && hasName(planned.imported ?? [column], column);
      const refused = (column: string, role: string, done: string) =>
        finding(
          "refused",
          `${column} is ${role} of the dataset ${target} of the connector ${connectorName}: it cannot be ${done}. Change the dataset first.`,
        );
      const dropped = planned.dropped.flatMap(({ name }): AlterationFinding[] => {
        const role = roleOf(name);
        if (role) return [refused(name, role, "dropped")];
        if (!isWritten(name)) return [];
        const readsAllRows = shape.strategy === "upsert" && shape.watermark === null && !readsLog;
        const values =
          shape.strategy === "replace" || readsAllRows
            ? "with the values of the source"
            : definition.custom_config?.on_added_column === "backfill"
              ? "and reads all rows once to fill it"
              : "and rows that are there have NULL in it until they change at the source";
        return [
          finding(
            "breaking",
            `The next run of the connector ${connectorName} adds ${name} again, because ${source} has it, ${values}. To drop it for good, set custom_config of the dataset ${target} to pii_suppressed: true and pii_columns: [${JSON.stringify(name)}] instead: its next run drops the column.`,
          ),
        ];
      });
      const named = renamed(planned).flatMap(({ before }): AlterationFinding[] => {
        const role = roleOf(before.name);
        if (role) return [refused(before.name, role, "renamed")];
        if (!isWritten(before.name)) return [];
        return [
          finding(
            "refused",
            `The connector ${connectorName} writes ${before.name} by the name that it has in ${source}: its next run would add ${before.name} again. Rename the column at the source, read it from a view there, or give it another name in a flow that reads the table.`,
          ),
        ];
      });
      const typed = retyped(planned).flatMap((column): AlterationFinding[] => {
        const { before, type, holdsAll, widens } = column;
        const role = roleOf(before.name);
        if (role && !widens) return [refused(before.name, role, `changed to ${type}`)];
        if (!isWritten(before.name) || holdsAll) return [];
        const back = setTypeCommand(planned.name, { [column.name]: before.type });
        return [
          finding(
            "info",
            `From the next run of the connector ${connectorName} on, a row whose ${before.name} does not fit ${type} is rejected. To take the former type again: ${back}`,
          ),
        ];
      });
      return [...dropped, ...named, ...typed];
    });
}

/**
 * The next run of a flow restores the columns that its definition declares, so an alteration of them must match the
 * definition. Other columns can be altered.
 */
export function flowFindings(
  flow: FlowDefinition & { readonly flow_name: string },
  planned: PlannedAlteration,
  isTarget: (target: string) => boolean,
): AlterationFinding[] {
  const { flow_name: name } = flow;
  if (!isTarget(flow.target_name))
    return [
      finding(
        "refused",
        `The flow ${name} keeps the rows here that match nothing. Change its SELECT instead.`,
      ),
    ];
  const shape = flowShape(flow);
  const own = namesOf(shape);
  const declared = new Map(
    Object.entries(shape.columns).map(([column, type]) => [column.toLowerCase(), type]),
  );
  const refused = (column: string, what: string) =>
    finding(
      "refused",
      `The flow ${name} writes ${column}: ${what} in its target_schema and its SELECT, and its next run changes the table.`,
    );
  return [
    ...planned.dropped
      .filter((column) => hasName(own, column.name))
      .map((column) => refused(column.name, "remove it")),
    ...renamed(planned)
      .filter(({ before }) => hasName(own, before.name))
      .map((column) => refused(column.before.name, `rename it to ${column.name}`)),
    ...retyped(planned)
      .filter(({ name: column }) => hasName(own, column))
      .filter(({ name: column, type }) => declared.get(column.toLowerCase()) !== declaredType(type))
      .map((column) => refused(column.before.name, `change its type to ${column.type}`)),
  ];
}
