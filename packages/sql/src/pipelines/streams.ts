import type { QueryDraft } from "./draft.ts";
import type { PipelineDataset } from "./plan.ts";
import type { Statement } from "./statements/statement.ts";
import type { Turn } from "./turn.ts";

/** How it is with reading a table as a stream. */
export type Streamable =
  | "yes"
  /** It is a view over a stream: nothing else can be done with it. */
  | "only"
  /** Why not. */
  | { readonly not: string };

/** Tells what is wrong with the streams of a query. */
export function checkStreams(
  { streams, wholes, at }: QueryDraft,
  reads: readonly string[],
  { kind, once }: { readonly kind: PipelineDataset["kind"]; readonly once: boolean },
  { complain }: Statement,
  { streamable }: Pick<Turn, "streamable">,
): void {
  const [first, second] = streams;
  if (first && kind === "materialized_view") {
    complain(
      first.at,
      "a materialized view is made of whole tables: take STREAM away, or make it a streaming table.",
    );
    return;
  }
  if (!first && kind === "streaming_table" && !once)
    complain(
      at,
      "a streaming table takes what is new in a stream: write FROM STREAM(table), or make it a materialized view.",
    );
  if (second)
    complain(
      second.at,
      "a SELECT reads one stream: give the other one a flow of its own, or read it without STREAM.",
    );
  for (const { name, at: place } of streams) {
    if (!reads.includes(name)) complain(place, "STREAM reads a table by its name, and nothing else.");
    else if (wholes.includes(name))
      complain(place, `${name} is read as a stream and as a whole: read one of them through a view.`);
    const can = streamable(name);
    if (typeof can === "object") complain(place, can.not);
  }
  const stream = reads.find(
    (name) => streamable(name) === "only" && !streams.some((one) => one.name === name),
  );
  if (stream !== undefined)
    complain(at, `${stream} is a view over a stream: read it with STREAM(${stream}).`);
}
