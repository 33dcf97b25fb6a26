import type { Endpoint } from "../endpoint.ts";
import { ModelSchema } from "../schema/index.ts";
import type { AnyCall } from "./request.ts";

/** The key of a list's items: a list answers `{<key>: [...], total}`, and has no other list beside it. */
export function listKey({ response }: Endpoint): string | undefined {
  if (!(response instanceof ModelSchema) || !("total" in response.fields)) return undefined;
  const lists = Object.entries<{ jsonSchema(refs: Map<string, object>): { type?: unknown } }>(
    response.fields,
  );
  const [first, second] = lists.filter(([, field]) => field.jsonSchema(new Map()).type === "array");
  return second === undefined ? first?.[0] : undefined;
}

/**
 * Lists are ordered oldest first, so rows that are added while this runs come at the end and are met there.
 * It ends when it has seen as many as the newest page says there are.
 */
export async function* allItems(
  endpoint: Endpoint,
  key: string,
  call: AnyCall,
  read: (call: AnyCall) => Promise<unknown>,
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
