import { quote, sqlName } from "../warehouse/names.ts";
import { countRows, sameKey } from "../warehouse/relation.ts";
import { changedRows } from "./comparison.ts";
import type { IngestRun } from "./ingest-run.ts";

/**
 * A key is compared by its stored value. A source may take different values for the same key: `a` and `A` of a citext,
 * 1.0 and 1.00 of a numeric. If a row gets another spelling of its key, its earlier row stays, as for any key that
 * changes. This function warns of such rows.
 */
export async function warnOfRespelledKeys(run: IngestRun): Promise<void> {
  const { connection, columns, keys, table, request } = run;
  const { dataset } = request;
  const loose = columns.filter(
    ({ name, sourceEquality }) => sourceEquality === "wider" && keys.includes(name),
  );
  if (loose.length === 0 || dataset.deletes || dataset.strategy !== "upsert" || run.schemaChange.create)
    return;
  const isSame = keys.map((key) => {
    const isLoose = loose.some(({ name }) => name === key);
    const [one, other] = [`p.${quote(key)}`, `c.${quote(key)}`];
    return isLoose ? `${folded(one)} = ${folded(other)}` : `${one} = ${other}`;
  });
  const rows = sqlName(table);
  const respelled = await countRows(
    connection,
    `${changedRows} c WHERE NOT EXISTS (SELECT 1 FROM ${rows} p WHERE ${sameKey(keys, "p", "c")}) AND EXISTS (SELECT 1 FROM ${rows} p WHERE ${isSame.join(" AND ")})`,
  );
  if (respelled === 0) return;
  const named = loose.map(({ name, origin }) => `${JSON.stringify(name)} (${origin})`).join(", ");
  run.warn(
    `${respelled} new ${respelled === 1 ? "key" : "keys"} of ${dataset.source} ${respelled === 1 ? "differs" : "differ"} from keys in ${dataset.target} only in the spelling of ${named}, such as case, accents, blanks or zeros at the end. If the source takes both for the same key, the earlier rows stay. Set "deletes" to remove them.`,
  );
}

/** SQL: maps all texts that a source may take for the same value to one text. */
function folded(value: string): string {
  const text = `rtrim(lower(strip_accents(nfc_normalize(CAST(${value} AS VARCHAR)))))`;
  const digits = `regexp_replace(${text}, '([.][0-9]*[1-9])0+\\b', '\\1', 'g')`;
  const trimmed = `regexp_replace(${digits}, '[.]0+\\b', '', 'g')`;
  return `regexp_replace(${trimmed}, '-0($|[^0-9.])', '0\\1', 'g')`;
}
