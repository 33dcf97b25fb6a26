const plain = new Intl.NumberFormat("en");

/** `1,234,567`. */
export const count = (value: number | bigint): string => plain.format(value);

/** `1 run`, `2 runs`. */
export const counted = (value: number, one: string): string =>
  `${count(value)} ${one}${value === 1 ? "" : "s"}`;
