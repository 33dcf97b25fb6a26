/**
 * NULL where none may be, a second row with a unique key, a missing parent; values out of range, of another kind, too long
 * or no JSON; a check or a trigger that says no.
 */
const refusals = [1048, 1062, 1264, 1265, 1292, 1366, 1367, 1406, 1411, 1452, 1644, 1690, 3140, 3819, 4025];

/** Why MySQL refuses rows; undefined: the error is not about rows. */
export const mysqlRefusal = (error: unknown): string | undefined =>
  error instanceof Error && "errno" in error && refusals.includes(Number(error.errno))
    ? error.message
    : undefined;
