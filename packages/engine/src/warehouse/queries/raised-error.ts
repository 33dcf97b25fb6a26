/**
 * SQL that raises an error in place of a value of the same type as `like`. DuckDB's error() is volatile: a filter is not
 * pushed below a projection with it, so `WHERE b <> 0` over a view of a / b would come too late. A cast of the message to a
 * number fails as well, and does not block the optimizer; as a text it would be a value. The message begins with a Databricks
 * error class and ends with a full stop.
 */
export const raise = (sentence: string, like: string): string =>
  `cast_to_type(CAST(CAST(${sentence} AS BIGINT) AS VARCHAR), ${like})`;

/** What DuckDB writes before the message, the second for lists and structs. */
const wrappers = ["Could not convert string ", "Type VARCHAR with value "];
const wrapped = /['"]([A-Z]+(?:_[A-Z]+)+: )/y;
const beyond = /Type INT128 with value (-?\d+) can't be cast because /;

/** The message in a DuckDB error that `raise` caused. Linear, because the error quotes values of any length. */
export function raisedMessage(message: string): string | undefined {
  const sentence = wrappedMessage(message);
  if (sentence !== undefined) return sentence;
  const [, number] = message.includes(" the destination type INT64") ? (beyond.exec(message) ?? []) : [];
  return number && `ARITHMETIC_OVERFLOW: ${number} is out of range for BIGINT. Use DECIMAL or DOUBLE.`;
}

function wrappedMessage(message: string): string | undefined {
  const wrapper = wrappers.find((text) => message.includes(text));
  if (wrapper === undefined) return undefined;
  const start = message.indexOf(wrapper) + wrapper.length;
  wrapped.lastIndex = start;
  if (!wrapped.test(message)) return undefined;
  const end = Math.max(...[".' to ", '." to ', ".' can't be cast"].map((text) => message.lastIndexOf(text)));
  return end < 0 ? undefined : message.slice(start + 1, end + 1);
}
