/**
 * SQL that raises an error in place of a value of the same type as `like`. DuckDB's error() is volatile: a filter is not
 * pushed below a projection with it, so `WHERE b <> 0` over a view of a / b would come too late. A cast of the message to
 * that type fails as well, and does not block the optimizer. The message begins with a Databricks error class and ends with
 * a full stop.
 */
export const raise = (sentence: string, like: string): string => `cast_to_type(${sentence}, ${like})`;

const wrapped = /Could not convert string ['"]([A-Z]+(?:_[A-Z]+)+: [\s\S]*\.)['"] to [A-Z]/;
const beyond = /Type INT128 with value (-?\d+) can't be cast because .* the destination type INT64/;

/** The message in a DuckDB error that `raise` caused. */
export function raisedMessage(message: string): string | undefined {
  const [, sentence] = wrapped.exec(message) ?? [];
  if (sentence !== undefined) return sentence;
  const [, number] = beyond.exec(message) ?? [];
  return number && `ARITHMETIC_OVERFLOW: ${number} is out of range for BIGINT. Use DECIMAL or DOUBLE.`;
}
