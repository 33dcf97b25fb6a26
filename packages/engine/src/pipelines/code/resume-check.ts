import { pipelineRefreshCommand } from "@lakehelm/contract/changes";
import type { FileLocation, PipelineDataset, PipelineProblem } from "@lakehelm/sql/pipelines";
import type { DatasetOwnership } from "../../warehouse/ownership.ts";
import { readColumns } from "../../warehouse/table-columns.ts";
import { widerType } from "../../warehouse/type-widening.ts";
import { columnProblem } from "../datasets/dataset-table.ts";
import { type DatasetSources, flowStreams } from "../datasets/source-relations.ts";
import { readStreamFlows, streamProblem } from "../streams.ts";
import { type BoundCdc, type BoundDataset, sequenceType } from "./bound-step.ts";

type FlowClauses = Readonly<Record<string, BoundCdc["clauses"]>>;

/** The clauses of a streaming table's AUTO CDC flows, by flow name. They are stored with the table. */
export function cdcClauses({ flows }: BoundDataset): string {
  const cdc = flows.flatMap((flow) =>
    flow.kind === "auto_cdc" ? [[nameOf(flow), flow.clauses] as const] : [],
  );
  return JSON.stringify(Object.fromEntries(cdc));
}

const nameOf = ({ definition }: BoundDataset["flows"][number]): string => definition.name.toLowerCase();

/** Explains why a dataset cannot change its kind: the rows of a streaming table cannot be computed again. */
export const kindChangeProblem = (
  { name, kind }: PipelineDataset,
  before: string | undefined,
  pipeline: string,
): string | undefined =>
  before === "streaming_table" && kind !== "streaming_table"
    ? `${name} is a streaming table. To make it a ${kind.replace("_", " ")}, which discards its rows: ${pipelineRefreshCommand(pipeline, name)}`
    : undefined;

/** Why an update cannot continue with the existing rows. A full refresh has none of these problems. */
export interface ResumeProblems {
  /** Differences between the code and the code that created the rows. If there are any, nothing runs. */
  readonly codeProblems: readonly PipelineProblem[];
  /** Problems with which the dataset would fail when it runs. */
  readonly runtimeProblems: readonly PipelineProblem[];
}

const none: ResumeProblems = { codeProblems: [], runtimeProblems: [] };

/** Compares a dataset with the state that the last update left. */
export async function resumeProblems(
  sources: Pick<DatasetSources, "connection" | "pipeline" | "datasets">,
  bound: BoundDataset,
  before: DatasetOwnership,
): Promise<ResumeProblems> {
  const { connection } = sources;
  const { dataset, storage } = bound;
  const runtimeProblems = (message: string): ResumeProblems => ({
    codeProblems: [],
    runtimeProblems: [{ ...locationOf(dataset.location), message }],
  });
  const kindProblem = kindChangeProblem(dataset, before.kind, sources.pipeline);
  if (kindProblem !== undefined) return runtimeProblems(kindProblem);
  if (dataset.kind !== "streaming_table" || before.kind !== "streaming_table") return none;
  const codeProblems = [
    ...clauseProblems(bound, before.definition, sources.pipeline),
    ...(await flowProblems(sources, bound)),
  ];
  if (codeProblems.length > 0) return { codeProblems, runtimeProblems: [] };
  const problem = columnProblem((await readColumns(connection, storage)) ?? [], bound, sources.pipeline);
  if (problem !== undefined) return runtimeProblems(problem);
  for (const flow of bound.flows) {
    for (const stream of flowStreams(sources, bound, flow.definition)) {
      const message = await streamProblem(connection, stream);
      if (message !== undefined)
        return { codeProblems: [], runtimeProblems: [{ ...locationOf(flow.definition.location), message }] };
    }
  }
  return none;
}

const locationOf = ({ path, line, column }: FileLocation): FileLocation => ({ path, line, column });

/** What to do if the changed code is intended. */
const otherwise = (pipeline: string, table: string): string =>
  `Otherwise, to empty ${table} and fill it as the code now says: ${pipelineRefreshCommand(pipeline, table)}`;

/** AUTO CDC flows whose clauses differ from those that created the existing rows. */
function clauseProblems(
  { dataset, flows }: BoundDataset,
  storedText: string,
  pipeline: string,
): PipelineProblem[] {
  if (storedText === "") return [];
  // The text was written by cdcClauses.
  const stored = JSON.parse(storedText) as FlowClauses;
  const [first] = Object.values(stored);
  return flows.flatMap((flow) => {
    const filledBy = flow.kind === "auto_cdc" ? "AUTO CDC" : "INSERT";
    const wasFilledBy = first ? "AUTO CDC" : "INSERT";
    const problemAt = (what: string) => [
      {
        ...locationOf(flow.definition.location),
        message: `${what}. Change it back. ${otherwise(pipeline, dataset.name)}`,
      },
    ];
    if (filledBy !== wasFilledBy)
      return problemAt(`${dataset.name} was filled by ${wasFilledBy} and would now be filled by ${filledBy}`);
    if (flow.kind !== "auto_cdc" || !first) return [];
    const same = stored[nameOf(flow)];
    const compared = same ?? tableClauses(first);
    const changed = Object.keys(compared).filter(
      (clause) => !isSameClause(clause, compared[clause], flow.clauses[clause]),
    );
    if (changed.length === 0) return [];
    return problemAt(
      `the flow ${flow.definition.name} has changed ${changed.join(", ")} since ${dataset.name} was created`,
    );
  });
}

/** A sequence of a wider type has the same order. */
const isSameClause = (clause: string, before = "", now = ""): boolean =>
  before === now || (clause === sequenceType && widerType(before, now) === now);

/** The clauses that a new flow must share with earlier ones. */
function tableClauses(clauses: BoundCdc["clauses"]): BoundCdc["clauses"] {
  const {
    "SEQUENCE BY": _sequence,
    "APPLY AS DELETE WHEN": _delete,
    "APPLY AS TRUNCATE WHEN": _truncate,
    ...rest
  } = clauses;
  return rest;
}

/**
 * Flows that would read a table from the beginning although its rows are already there: under another name, or from another
 * source.
 */
async function flowProblems(
  sources: Pick<DatasetSources, "connection" | "pipeline" | "datasets">,
  bound: BoundDataset,
): Promise<PipelineProblem[]> {
  const { dataset, storage, flows } = bound;
  const key = { catalog: storage.catalog, pipeline: sources.pipeline, dataset: dataset.name };
  const knownFlows = await readStreamFlows(sources.connection, key);
  const current = new Set(flows.map(nameOf));
  const removedFlows = knownFlows.filter(({ flow }) => !current.has(flow.toLowerCase()));
  const advice = otherwise(sources.pipeline, dataset.name);
  return flows.flatMap((flow) => {
    const name = flow.definition.name;
    const ofFlow = knownFlows.filter((one) => one.flow.toLowerCase() === nameOf(flow));
    return flowStreams(sources, bound, flow.definition).flatMap(({ source }) => {
      const problemAt = (message: string) => [{ ...locationOf(flow.definition.location), message }];
      const [kindProblem] = ofFlow;
      if (kindProblem && ofFlow.every((one) => one.source !== source))
        return problemAt(
          `the flow ${name} has read ${kindProblem.source} until now and would read ${source}. Rename the flow. ${advice}`,
        );
      const old = kindProblem ? undefined : removedFlows.find((one) => one.source === source);
      if (!old) return [];
      return problemAt(
        `the removed flow ${old.flow} has already read ${source}, and ${name} would read all of it again. Name it ${old.flow}. ${advice}`,
      );
    });
  });
}
