/** `1 row`, `2 rows`. */
export const counted = (count: unknown, one: string): string =>
  `${String(count)} ${one}${Number(count) === 1 ? "" : "s"}`;
