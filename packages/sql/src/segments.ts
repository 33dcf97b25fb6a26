/** A segment of a query: SQL code, or one string, quoted name or comment. */
export interface QuerySegment {
  readonly text: string;
  readonly kind: "sql" | "quoted" | "comment";
}

/**
 * Strings, quoted names and comments. If one is never closed, it extends to the end of the text: if the pattern did not
 * match it, the scan would read the rest again for each opening quote, which takes quadratic time.
 */
const enclosed =
  /'[^'\\]*(?:\\[\s\S][^'\\]*)*(?:'|\\?$)|"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** Splits a query into code, and strings, quoted names and comments. Joined, the segments are the query. */
export function segmentsOf(query: string): QuerySegment[] {
  const segments: QuerySegment[] = [];
  let from = 0;
  for (const { 0: text, index } of query.matchAll(enclosed)) {
    segments.push({ text: query.slice(from, index), kind: "sql" });
    segments.push({ text, kind: text.startsWith("--") || text.startsWith("/*") ? "comment" : "quoted" });
    from = index + text.length;
  }
  return [...segments, { text: query.slice(from), kind: "sql" }];
}
