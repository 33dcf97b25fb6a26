const plain = new Intl.NumberFormat("en");

/** `1,234,567`. */
export const count = (value: number | bigint): string => plain.format(value);
