/**
 * JSON of a workspace. Ids are 64-bit integers, which a double cannot hold: a number under `id` or `…_id`, and any integer
 * beyond 2^53, becomes its digits as a string. Everything else is as `JSON.parse` reads it.
 */
export function parseWorkspaceJson(text: string): unknown {
  // The reviver is called for every value, which takes seconds for a large result of a query; most have no id.
  if (!mayHaveIds.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown, context: { readonly source?: string }) => {
    if (typeof value !== "number" || context.source === undefined) return value;
    const isId = key === "id" || key.endsWith("_id");
    if (!isId && Number.isSafeInteger(value)) return value;
    return /^-?\d+$/.test(context.source) ? context.source : value;
  });
}

const mayHaveIds = /id"\s*:\s*-?\d|[:[,\s]-?\d{16}/;

/** An id for a request body: the digits as a number. Throws if the text is not an id. */
export function numericId(id: string): unknown {
  if (!/^\d{1,19}$/.test(id)) throw new TypeError(`${JSON.stringify(id)} is not the id of a job or a run.`);
  return JSON.rawJSON(String(BigInt(id)));
}
