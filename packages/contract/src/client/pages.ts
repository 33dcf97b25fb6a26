import type { Endpoint } from "../endpoint.ts";
import { ModelSchema } from "../schema/index.ts";
import type { UntypedCall } from "./request.ts";

/** The key of the items in a list response, which is `{<key>: [...], total}` with a single list. */
export function listKey({ response }: Endpoint): string | undefined {
  if (!(response instanceof ModelSchema) || !("total" in response.fields)) return undefined;
  const lists = Object.entries<{ jsonSchema(refs: Map<string, object>): { type?: unknown } }>(
    response.fields,
  );
  const [first, second] = lists.filter(([, field]) => field.jsonSchema(new Map()).type === "array");
  return second === undefined ? first?.[0] : undefined;
}

/**
 * Lists are ordered oldest first, so items that are added during the iteration come at the end and are included.
 * Ends when it has yielded the total of the last page.
 */
export async function* allItems(
  endpoint: Endpoint,
  key: string,
  call: UntypedCall,
  read: (call: UntypedCall) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const pageable = endpoint.query !== undefined && "skip" in endpoint.query;
  let skip = Number(call.query?.skip ?? 0);
  for (;;) {
    const query = pageable ? { ...call.query, skip } : call.query;
    const page = (await read({ ...call, ...(query && { query }) })) as Record<string, unknown>;
    const items = page[key] as unknown[];
    yield* items;
    skip += items.length;
    if (!pageable || items.length === 0 || skip >= (page.total as number)) return;
  }
}
