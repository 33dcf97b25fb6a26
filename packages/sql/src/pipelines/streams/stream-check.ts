import type { AnalysisContext } from "../analysis-context.ts";
import type { QueryDraft } from "../drafts.ts";
import type { PipelineDataset } from "../plan.ts";
import type { SourceStatement } from "../statements/statement.ts";

/** Reports problems with the streams of a query. */
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
      "a materialized view cannot read a stream: remove STREAM, or make it a streaming table.",
    );
    return;
  }
  if (!first && kind === "streaming_table" && !once)
    report(
      at,
      "a streaming table must read a stream: write FROM STREAM(table), or make it a materialized view.",
    );
  if (second)
    report(
      second.at,
      "a SELECT can read only one stream: use another flow for the second one, or read it without STREAM.",
    );
  for (const { name, at: offset } of streams) {
    if (!reads.includes(name)) report(offset, "STREAM needs the name of a table.");
    else if (wholes.includes(name))
      report(offset, `${name} is read with and without STREAM: read one of them through a view.`);
    const can = streamability(name);
    if (typeof can === "object") report(offset, can.not);
  }
  const stream = reads.find(
    (name) => streamability(name) === "only" && !streams.some((one) => one.name === name),
  );
  if (stream !== undefined) report(at, `${stream} is a view over a stream: read it with STREAM(${stream}).`);
}
