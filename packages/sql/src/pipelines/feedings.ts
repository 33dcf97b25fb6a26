import { plainName } from "../names.ts";
import type { Column } from "../select/rows.ts";
import { readAutoCdc } from "./auto-cdc.ts";
import type { QueryDraft } from "./draft.ts";
import { queryIn } from "./known.ts";
import type { DatasetNode } from "./nodes.ts";
import type { Feeding, PipelineDataset } from "./plan.ts";
import { placeAt, type Statement } from "./statements/statement.ts";
import { cutDependence } from "./stream-shape.ts";
import { checkStreams } from "./streams.ts";
import type { Turn } from "./turn.ts";
import { cut } from "./written.ts";

/** A feeding, and what it gives; undefined where that is not known, because something is wrong. */
export interface Fed {
  readonly feeding: Feeding;
  readonly statement: Statement;
  /** Where it names the dataset. */
  readonly at: number;
  readonly columns: readonly Column[] | undefined;
}

/** Everything that fills a dataset: its own query, then its flows in the order of the text. */
export function feedingsOf({ draft, flows }: DatasetNode, turn: Turn): readonly Fed[] {
  const { dataset, query, statement, at } = draft;
  const own = { statement, at, flow: dataset.table.table, once: false, kind: dataset.kind };
  const fromFlows = flows
    .filter(({ isBroken }) => !isBroken)
    .map((flow) => {
      const { fed, name, once, target } = flow;
      const about = { statement: flow.statement, at: target.at, flow: name, once, kind: dataset.kind };
      return fed.query
        ? fromQuery(fed.query, about, turn)
        : readAutoCdc(flow, fed.cdc, plainName(dataset.table), turn);
    });
  return [...(query ? [fromQuery(query, own, turn)] : []), ...fromFlows];
}

interface About extends Pick<Fed, "statement" | "at"> {
  readonly flow: string;
  readonly once: boolean;
  readonly kind: PipelineDataset["kind"];
}

function fromQuery(query: QueryDraft, { statement, at, flow, once, kind }: About, turn: Turn): Fed {
  const { columns, isWhole, tables, remarks } = queryIn(turn.sql, query, statement, turn.known, true);
  for (const remark of remarks) statement.complain(query.at + remark.at, remark.message);
  // A query that cannot be read has no tables: that it reads no stream would be a second complaint.
  if (columns) {
    checkStreams(query, tables, { kind, once }, statement, turn);
    tellCutDependence(query, statement, once, turn);
  }
  const isKnown = isWhole && columns?.every(({ name }) => name !== "") && columns.length > 0;
  const { pieces } = cut(statement.written, query.at, query.at + query.sql.length);
  return {
    feeding: {
      kind: "select",
      flow,
      select: query.sql,
      pieces,
      reads: tables,
      streams: [...new Set(query.streams.map(({ name }) => name))],
      once,
      within: statement.within,
      at: placeAt(statement, query.at),
    },
    statement,
    at,
    columns: isKnown ? columns?.map((column) => ({ ...column, at: query.at + column.at })) : undefined,
  };
}

/** A table that is filled bit by bit must hold what it would hold if all had come at once. */
function tellCutDependence(
  { sql, at, streams }: QueryDraft,
  statement: Statement,
  once: boolean,
  turn: Turn,
): void {
  const [stream, ...others] = streams;
  if (!stream || others.length > 0 || once) return;
  const wrong = cutDependence(turn.sql, sql, stream.at - at);
  if (wrong) statement.complain(at + wrong.at, wrong.message);
}
