/**
 * SQL that fails with a sentence, where a value of some other expression's type is expected. DuckDB's own error() is
 * volatile: a filter behind a projection with it would stay behind, and `WHERE b <> 0` over a view of a / b come too late.
 * A text that cannot be cast to that type is an error as well, and hinders nothing. The sentence begins with an error
 * class of Databricks, and ends with a full stop.
 */
export const raise = (sentence: string, like: string): string => `cast_to_type(${sentence}, ${like})`;

const wrapped = /Could not convert string ['"]([A-Z]+(?:_[A-Z]+)+: [\s\S]*\.)['"] to [A-Z]/;
const beyond = /Type INT128 with value (-?\d+) can't be cast because .* the destination type INT64/;

/** The sentence in a message of DuckDB's, if one was raised. */
export function raisedMessage(message: string): string | undefined {
  const [, sentence] = wrapped.exec(message) ?? [];
  if (sentence !== undefined) return sentence;
  const [, number] = beyond.exec(message) ?? [];
  return (
    number && `ARITHMETIC_OVERFLOW: ${number} is beyond the numbers of BIGINT: take a DECIMAL or a DOUBLE.`
  );
}
