import { scan } from "./scan.ts";
import { placeOf } from "./source-location.ts";
import type { MetadataStatement } from "./statements/metadata.ts";
import { ownStatement } from "./statements/own.ts";
import { readWith, withoutSemicolon } from "./statements/read-own.ts";

/** What a statement about descriptions and tags says; a sentence where it is any other or unsound. */
export function readMetadataStatement(
  statement: string,
):
  | { readonly meaning: MetadataStatement; readonly problem?: never }
  | { readonly meaning?: never; readonly problem: string } {
  const { tokens, remarks } = scan(statement);
  const [first] = remarks;
  const { meaning, remark } = first
    ? { remark: first }
    : readWith(ownStatement, withoutSemicolon(tokens), statement.length);
  if (remark) return { problem: `${placeOf(statement, remark.at)}: ${remark.message}` };
  return meaning
    ? { meaning }
    : { problem: "this statement changes something else than descriptions and tags." };
}
