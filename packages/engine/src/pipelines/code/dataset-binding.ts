import { sqlName } from "@lakehelm/sql/names";
import type { PipelineDataset, PipelineFlow } from "@lakehelm/sql/pipelines";
import type { WarehouseColumn } from "../../protocol/column.ts";
import { databricksType } from "../../protocol/types.ts";
import { quote } from "../../warehouse/names.ts";
import { sameName } from "../../warehouse/relation.ts";
import { nameConflict } from "../name-conflict.ts";
import { storageOf } from "../storage.ts";
import type { AuthorText } from "./author-text.ts";
import { type Binder, BindingFailed } from "./binder.ts";
import type { BoundDataset, BoundExpectation, BoundFlow, BoundSelect } from "./bound-step.ts";
import { bindCdc } from "./cdc-binding.ts";
import { declaredType, inDeclaredTypes } from "./declared-columns.ts";
import { expressionsOf } from "./expressions.ts";
import { requireStreams } from "./stream-sources.ts";

/** Binds a dataset. The following texts can read it. */
export async function bindDataset(binder: Binder, dataset: PipelineDataset): Promise<BoundDataset> {
  const name = binder.warehouseName(dataset.table, dataset.location);
  const storage = storageOf(binder.pipeline, dataset);
  requireOwn(binder, dataset);
  const flows: BoundFlow[] = [];
  for (const flow of dataset.flows) {
    flows.push(
      flow.kind === "select" ? await bindSelect(binder, dataset, flow) : await bindCdc(binder, dataset, flow),
    );
  }
  requireAgreement(binder, dataset, flows);
  const columns = await columnsOf(binder, dataset, flows);
  if (columns.length === 0) {
    binder.addProblem(
      dataset.location,
      `${dataset.name} has no columns: declare columns, or add AS with a query.`,
    );
    throw new BindingFailed();
  }
  await binder.addTable(name, columns);
  binder.datasets.set(dataset.name, dataset);
  return { dataset, storage, columns, flows, expectations: await bindExpectations(binder, dataset) };
}

/** All flows into one table must produce the same kind of events. */
function requireAgreement(binder: Binder, { name }: PipelineDataset, flows: readonly BoundFlow[]): void {
  const shapes = flows.flatMap((flow) =>
    flow.kind === "auto_cdc"
      ? [
          {
            at: flow.definition.location,
            text: [...flow.columns, flow.sequence].map((c) => `${c.name} ${c.type}`).join(),
          },
        ]
      : [],
  );
  const other = shapes.find(({ text }) => text !== shapes[0]?.text);
  if (!other) return;
  binder.addProblem(
    other.at,
    `the flows into ${name} differ in their columns, or in the type of their SEQUENCE BY.`,
  );
  throw new BindingFailed();
}

/** Tables of others are never overwritten. */
function requireOwn(binder: Binder, { table, location, isPrivate }: PipelineDataset): void {
  const { snapshot } = binder.context;
  const known = binder.warehouseName(table, location);
  const [kind, owner] = [snapshot.kindOf(known), snapshot.ownerOf(known)];
  if (isPrivate || !kind || owner?.pipeline === binder.pipeline) return;
  binder.addProblem(location, nameConflict(known, kind, owner));
  throw new BindingFailed();
}

async function bindSelect(
  binder: Binder,
  dataset: PipelineDataset,
  flow: Extract<PipelineFlow, { kind: "select" }>,
): Promise<BoundSelect> {
  const { select: sql, defaults, location, segments } = flow;
  const text: AuthorText = { sql, defaults, location, segments };
  const bound = await binder.bind(text);
  await requireStreams(binder, flow, bound.sql);
  const nameOf = (column: string) =>
    dataset.columns.find(({ selected }) => sameName(selected, column))?.name ?? column;
  const columns = await inDeclaredTypes(binder, dataset, { ...bound, text }, nameOf);
  const selected = inHeaderOrder(dataset, columns, ({ name }) => name).map((column) => column.selected);
  return { kind: "select", definition: flow, sql: `SELECT ${selected.join(", ")} FROM (${bound.sql})` };
}

/** The declared columns and those of the flows, in the order of the dataset's header. */
async function columnsOf(
  binder: Binder,
  dataset: PipelineDataset,
  flows: readonly BoundFlow[],
): Promise<WarehouseColumn[]> {
  const declared = dataset.declared.flatMap(({ name }) => {
    const type = declaredType(binder, dataset, name)?.type;
    return type === undefined ? [] : [`CAST(NULL AS ${type}) AS ${quote(name)}`];
  });
  // DuckDB's own spelling of each type, which is compared with the type of the existing column.
  const columns = declared.length > 0 ? await binder.columnsOf(`SELECT ${declared.join(", ")}`) : [];
  for (const flow of flows) {
    const available =
      flow.kind === "select" ? await binder.columnsOf(flow.sql) : targetColumns(flow.columns, flow);
    for (const column of available) {
      const known = columns.find(({ name }) => sameName(name, column.name));
      if (!known) columns.push(column);
      else if (known.type !== column.type && flow.kind === "select" && flows.length > 1) {
        const [one, other] = [known.type, column.type].map(databricksType);
        binder.addProblem(
          flow.definition.location,
          `the column ${column.name} of ${dataset.name} is ${one} in another flow and ${other} in this one: write a CAST.`,
        );
        throw new BindingFailed();
      }
    }
  }
  return inHeaderOrder(dataset, columns, ({ name }) => name);
}

/** In the order of the dataset's columns. Unknown columns come last. */
function inHeaderOrder<One>(
  { columns }: PipelineDataset,
  all: readonly One[],
  nameOf: (one: One) => string,
): One[] {
  const positions = new Map(columns.map(({ name }, at) => [name.toLowerCase(), at]));
  const positionOf = (one: One) => positions.get(nameOf(one).toLowerCase()) ?? columns.length;
  return all.toSorted((left, right) => positionOf(left) - positionOf(right));
}

/** A history table also has the validity of each row, as a range of the sequence. */
function targetColumns(
  columns: readonly WarehouseColumn[],
  {
    definition,
    sequence,
  }: { readonly definition: { readonly scdType: 1 | 2 }; readonly sequence: WarehouseColumn },
): readonly WarehouseColumn[] {
  if (definition.scdType === 1) return columns;
  return [...columns, { ...sequence, name: "__START_AT" }, { ...sequence, name: "__END_AT" }];
}

async function bindExpectations(binder: Binder, dataset: PipelineDataset): Promise<BoundExpectation[]> {
  const bound: BoundExpectation[] = [];
  const { catalog, schema, table } = binder.warehouseName(dataset.table, dataset.location);
  const from = sqlName({ catalog, schema, table });
  for (const { name, condition, action, location } of dataset.expectations) {
    if (dataset.flows.some(({ kind }) => kind === "auto_cdc")) {
      const advice = "put them on the view or table that the flow reads";
      binder.addProblem(
        location,
        `${dataset.name} is filled by AUTO CDC and cannot have expectations: ${advice}.`,
      );
      continue;
    }
    try {
      const sql = `SELECT (${condition}\n) AS met FROM ${from}`;
      const { sql: probe, columns } = await binder.bind({ sql, defaults: { catalog, schema }, location });
      const [type = ""] = columns.map((column) => column.type);
      const [text] = await expressionsOf(binder.context.connection, probe);
      if (type !== "BOOLEAN" || text === undefined)
        binder.addProblem(
          location,
          `the expectation ${name} must be a condition, but its type is ${databricksType(type)}.`,
        );
      else bound.push({ name, action, condition: text });
    } catch (error) {
      if (!(error instanceof BindingFailed)) throw error;
    }
  }
  return bound;
}
