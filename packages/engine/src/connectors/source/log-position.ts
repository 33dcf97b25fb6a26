const pattern = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;

/** Whether a text is a position in a log: `16/B374D848`. */
export const isPosition = (text: string): boolean => pattern.test(text);

/** A position in a log, as PostgreSQL writes it. */
export function parsePosition(text: string): bigint {
  const found = pattern.exec(text);
  if (!found) throw new Error(`${text} is not a position in a log.`);
  return (BigInt(`0x${found[1]}`) << 32n) | BigInt(`0x${found[2]}`);
}

export const formatPosition = (position: bigint): string =>
  `${(position >> 32n).toString(16).toUpperCase()}/${(position & 0xffff_ffffn).toString(16).toUpperCase()}`;

/** The first of several positions. */
export const firstPosition = (positions: readonly bigint[]): bigint | undefined =>
  positions.toSorted((one, other) => (one < other ? -1 : 1))[0];
