import { useCallback, useEffect, useRef, useState } from "preact/hooks";

interface Page<T> {
  readonly items: readonly T[];
  readonly cursor: string | null;
}

interface OlderOptions<T> {
  /** Identifies the filter: with another key, the older pages are dropped. */
  readonly key: string;
  /** The first page, which is kept current; undefined while it is loading. */
  readonly first: Page<T> | undefined;
  readonly read: (cursor: string) => Promise<Page<T>>;
  readonly idOf: (item: T) => string | number;
}

/** A list of pages. The first page is kept current; `loadMore` reads an older page, which is then kept. */
export function useOlder<T>({ key, first, read, idOf }: OlderOptions<T>) {
  const [older, setOlder] = useState<(Page<T> & { readonly key: string }) | undefined>();
  const isReading = useRef(false);
  const [isLoading, setLoading] = useState(false);
  const mine = older?.key === key ? older : undefined;
  const cursor = mine ? mine.cursor : (first?.cursor ?? null);
  useEffect(() => {
    isReading.current = false;
    setLoading(false);
  }, [key]);
  const loadMore = useCallback(() => {
    if (cursor === null || isReading.current) return;
    isReading.current = true;
    setLoading(true);
    read(cursor).then(
      (page) => {
        isReading.current = false;
        setLoading(false);
        setOlder((before) => ({
          key,
          items: [...(before?.key === key ? before.items : []), ...page.items],
          cursor: page.cursor,
        }));
      },
      () => {
        isReading.current = false;
        setLoading(false);
      },
    );
  }, [key, cursor]);
  const seen = new Set(first?.items.map(idOf));
  const items = [...(first?.items ?? []), ...(mine?.items ?? []).filter((item) => !seen.has(idOf(item)))];
  return { items, loadMore, hasMore: cursor !== null, isLoading };
}
