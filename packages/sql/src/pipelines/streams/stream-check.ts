import type { AnalysisContext } from "../analysis-context.ts";
import type { QueryDraft } from "../drafts.ts";
import type { PipelineDataset } from "../plan.ts";
import type { SourceStatement } from "../statements/statement.ts";

/** Tells what is wrong with the streams of a query. */
export function checkStreams(
  { streams, batchReads: wholes, at }: QueryDraft,
  reads: readonly string[],
  { kind, once }: { readonly kind: PipelineDataset["kind"]; readonly once: boolean },
  { report }: SourceStatement,
  { streamability }: Pick<AnalysisContext, "streamability">,
): void {
  const [first, second] = streams;
  if (first && kind === "materialized_view") {
    report(
      first.at,
      "a materialized view is made of whole tables: take STREAM away, or make it a streaming table.",
    );
    return;
  }
  if (!first && kind === "streaming_table" && !once)
    report(
      at,
      "a streaming table takes what is new in a stream: write FROM STREAM(table), or make it a materialized view.",
    );
  if (second)
    report(
      second.at,
      "a SELECT reads one stream: give the other one a flow of its own, or read it without STREAM.",
    );
  for (const { name, at: place } of streams) {
    if (!reads.includes(name)) report(place, "STREAM reads a table by its name, and nothing else.");
    else if (wholes.includes(name))
      report(place, `${name} is read as a stream and as a whole: read one of them through a view.`);
    const can = streamability(name);
    if (typeof can === "object") report(place, can.not);
  }
  const stream = reads.find(
    (name) => streamability(name) === "only" && !streams.some((one) => one.name === name),
  );
  if (stream !== undefined) report(at, `${stream} is a view over a stream: read it with STREAM(${stream}).`);
}
