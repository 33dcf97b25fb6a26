import type { FileLocation, PipelineDataset, PipelineProblem } from "@lakehelm/sql/pipelines";
import type { DatasetOwner } from "../../warehouse/ownership.ts";
import { readColumns } from "../../warehouse/table-columns.ts";
import { columnProblem } from "../datasets/dataset-table.ts";
import { flowStreams, type SourceContext2 } from "../datasets/source-relations.ts";
import { readStreamFlows, streamProblem } from "../streams.ts";
import type { BoundCdc, BoundDataset } from "./bound-step.ts";

type FlowClauses = Readonly<Record<string, BoundCdc["clauses"]>>;

/** How the flows of a streaming table make its rows: kept with the table, by their names. */
export function cdcClauses({ flows }: BoundDataset): string {
  const cdc = flows.flatMap((flow) =>
    flow.kind === "auto_cdc" ? [[nameOf(flow), flow.clauses] as const] : [],
  );
  return JSON.stringify(Object.fromEntries(cdc));
}

const nameOf = ({ definition }: BoundDataset["flows"][number]): string => definition.name.toLowerCase();

/** Why a dataset cannot be made of what is there: its rows cannot be computed again. */
export const kindChangeProblem = (
  { name, kind }: PipelineDataset,
  before: string | undefined,
): string | undefined =>
  before === "streaming_table" && kind !== "streaming_table"
    ? `${name} is a streaming table so far: a full refresh makes it a ${kind.replace("_", " ")}, without the rows it has.`
    : undefined;

/** What stands against going on with the rows that are there. A full refresh does not. */
export interface ResumeProblems {
  /** The code says something else than what they were made with: nothing is run. */
  readonly codeProblems: readonly PipelineProblem[];
  /** The dataset would fail in its turn. */
  readonly runtimeProblems: readonly PipelineProblem[];
}

const none: ResumeProblems = { codeProblems: [], runtimeProblems: [] };

/** Reads what the last update has left of a dataset, which is the pipeline's own since. */
export async function resumeProblems(
  sources: Pick<SourceContext2, "connection" | "pipeline" | "datasets">,
  bound: BoundDataset,
  before: DatasetOwner,
): Promise<ResumeProblems> {
  const { connection } = sources;
  const { dataset, storage } = bound;
  const runtimeProblems = (message: string): ResumeProblems => ({
    codeProblems: [],
    runtimeProblems: [{ ...placeOf(dataset.location), message }],
  });
  const other = kindChangeProblem(dataset, before.kind);
  if (other !== undefined) return runtimeProblems(other);
  if (dataset.kind !== "streaming_table" || before.kind !== "streaming_table") return none;
  const codeProblems = [...clauseProblems(bound, before.definition), ...(await flowProblems(sources, bound))];
  if (codeProblems.length > 0) return { codeProblems, runtimeProblems: [] };
  const wrong = columnProblem((await readColumns(connection, storage)) ?? [], bound);
  if (wrong !== undefined) return runtimeProblems(wrong);
  for (const flow of bound.flows) {
    for (const stream of flowStreams(sources, bound, flow.definition)) {
      const message = await streamProblem(connection, stream);
      if (message !== undefined)
        return { codeProblems: [], runtimeProblems: [{ ...placeOf(flow.definition.location), message }] };
    }
  }
  return none;
}

const placeOf = ({ path, line, column }: FileLocation): FileLocation => ({ path, line, column });

/** AUTO CDC flows that make rows in another definition than those that are there were made. */
function clauseProblems({ dataset, flows }: BoundDataset, kept: string): PipelineProblem[] {
  if (kept === "") return [];
  // It is what was written here.
  const ways = JSON.parse(kept) as FlowClauses;
  const [first] = Object.values(ways);
  return flows.flatMap((flow) => {
    const so = flow.kind === "auto_cdc" ? "AUTO CDC" : "INSERT";
    const wasSo = first ? "AUTO CDC" : "INSERT";
    const tell = (what: string) => [
      {
        ...placeOf(flow.definition.location),
        message: `${what}: change it back, or a full refresh of ${dataset.name} makes it anew.`,
      },
    ];
    if (so !== wasSo) return tell(`${dataset.name} is filled by ${wasSo} so far, and now by ${so}`);
    if (flow.kind !== "auto_cdc" || !first) return [];
    const same = ways[nameOf(flow)];
    const compared = same ?? tableClauses(first);
    const changed = Object.keys(compared).filter((clause) => compared[clause] !== flow.clauses[clause]);
    if (changed.length === 0) return [];
    return tell(
      `the flow ${flow.definition.name} differs in ${changed.join(", ")} from what ${dataset.name} was made with`,
    );
  });
}

/** What a new flow must have in common with those before it. */
function tableClauses(clauses: BoundCdc["clauses"]): BoundCdc["clauses"] {
  const {
    "SEQUENCE BY": _sequence,
    "APPLY AS DELETE WHEN": _delete,
    "APPLY AS TRUNCATE WHEN": _truncate,
    ...rest
  } = clauses;
  return rest;
}

/** Flows that would read a table from its beginning whose rows are there: under another name, or from another source. */
async function flowProblems(
  sources: Pick<SourceContext2, "connection" | "pipeline" | "datasets">,
  bound: BoundDataset,
): Promise<PipelineProblem[]> {
  const { dataset, storage, flows } = bound;
  const of = { catalog: storage.catalog, pipeline: sources.pipeline, dataset: dataset.name };
  const soFar = await readStreamFlows(sources.connection, of);
  const current = new Set(flows.map(nameOf));
  const gone = soFar.filter(({ flow }) => !current.has(flow.toLowerCase()));
  const anew = `a full refresh of ${dataset.name} starts anew`;
  return flows.flatMap((flow) => {
    const name = flow.definition.name;
    const mine = soFar.filter((one) => one.flow.toLowerCase() === nameOf(flow));
    return flowStreams(sources, bound, flow.definition).flatMap(({ source }) => {
      const tell = (message: string) => [{ ...placeOf(flow.definition.location), message }];
      const [other] = mine;
      if (other && mine.every((one) => one.source !== source))
        return tell(
          `the flow ${name} has read ${other.source} so far, and now ${source}: give it another name, or ${anew}.`,
        );
      const old = other ? undefined : gone.find((one) => one.source === source);
      if (!old) return [];
      return tell(
        `the flow ${old.flow}, which is gone, has read ${source} so far, and ${name} would read all of it again: call it ${old.flow}, or ${anew}.`,
      );
    });
  });
}
