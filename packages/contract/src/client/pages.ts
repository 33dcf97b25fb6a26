import type { ListOperation } from "./operation.ts";
import type { UntypedCall } from "./request.ts";

/**
 * Yields all items of a list. Lists are ordered oldest first, so items that are added during the iteration come at the
 * end and are included. The iteration ends when it has yielded the `total` of the last page. If a response has a
 * cursor, the iteration follows the cursor instead.
 */
export async function* allItems(
  { key, pageable }: ListOperation,
  call: UntypedCall,
  read: (call: UntypedCall) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  let skip = Number(call.query?.skip ?? 0);
  let next: unknown;
  for (;;) {
    const at = typeof next === "string" ? { skip: 0, cursor: next } : { skip };
    const query = pageable ? { ...call.query, ...at } : call.query;
    const page = (await read({ ...call, ...(query && { query }) })) as Record<string, unknown>;
    const items = page[key] as unknown[];
    yield* items;
    next = page.next_cursor;
    if (next === null) return;
    if (next !== undefined) continue;
    skip += items.length;
    if (!pageable || items.length === 0 || skip >= (page.total as number)) return;
  }
}
