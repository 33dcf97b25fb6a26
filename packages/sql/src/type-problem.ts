import { tooMuch } from "./limits.ts";
import { scan } from "./scan.ts";
import { dataType } from "./statements/data-type.ts";
import { readWith } from "./statements/read-own.ts";

/** Nothing if a text is a type such as `DECIMAL(10, 2)`, else a sentence. */
export function typeProblem(text: string): string | undefined {
  const { tokens, remarks } = scan(text);
  const wrong = remarks[0] ?? tooMuch(tokens) ?? readWith(dataType, tokens, text.length).remark;
  return wrong?.message;
}
