/** Runs work for all items, at most `most` at a time. After an error nothing new is started. */
export async function inParallel<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const walk = async () => {
    while (next < items.length && !failure) {
      const item = items[next++] as Item;
      await work(item).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, walk));
  if (failure) throw failure.error;
}
