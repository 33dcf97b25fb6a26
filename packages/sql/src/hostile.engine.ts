import { testLinear } from "@lakehelm/testing/linear";
import { readMetadataStatement } from "./grammar/metadata-statement.ts";
import { unbalancedBracket } from "./lexer/brackets.ts";
import { tokenize } from "./lexer/lexer.ts";
import { limitProblem } from "./lexer/limits.ts";
import { stringValue } from "./lexer/string-literal.ts";
import { sqlString } from "./names/literals.ts";
import { fileSlug, tableSlug } from "./names/slug.ts";
import { readTableName } from "./names/table-name.ts";
import { titleProblem } from "./names/title.ts";
import { loadSqlParser } from "./parser/sql-parser.ts";
import { cellsOf } from "./pipelines/cells.ts";
import { parametersIn } from "./pipelines/parameters.ts";
import { splitAtSemicolons } from "./pipelines/semicolons.ts";
import { analyzeSelect } from "./query/select-analysis.ts";
import { segmentsOf } from "./segments.ts";
import { locatorOf, utf16Offsets } from "./source-location.ts";
import { readSqlFile } from "./sql-file.ts";
import { statementDiagnostic } from "./statement-check.ts";
import { shop } from "./testing/shop.ts";

const scope = { catalog: "shop", schema: "sales" };
/** Tests this package's own code alone: the library gets only texts that pass the limits. */
const noParser = { parse: () => ({ error: "", from: 0, to: 0 }) };

/** Every parser of this package that reads text from a caller. */
testLinear({
  tokenize,
  "tokenize of a string": (text) => tokenize(`select '${text}'`),
  statementDiagnostic: (text) => statementDiagnostic(noParser, text),
  "statementDiagnostic of a query": (text) => statementDiagnostic(noParser, `select ${text}`),
  "limits and brackets": (text) => {
    const { tokens } = tokenize(text);
    limitProblem(tokens);
    unbalancedBracket(tokens);
    parametersIn(tokens);
  },
  stringValue: (text) => stringValue(`'${text}'`),
  sqlString,
  readTableName: (text) => readTableName(text, scope, "name"),
  fileSlug,
  tableSlug,
  titleProblem,
  segmentsOf,
  readSqlFile,
  cellsOf,
  splitAtSemicolons: (text) => splitAtSemicolons({ text, at: 0 }),
  readMetadataStatement: (text) => readMetadataStatement(text),
  "locations of all characters": (text) => {
    const locate = locatorOf(text);
    const offset = utf16Offsets(text);
    for (let at = 0; at < text.length; at += 1024) {
      locate(at);
      offset(at);
    }
  },
});

const sql = await loadSqlParser();

/** Tests the library with long tokens. */
testLinear({
  "the library on a string": (text) => statementDiagnostic(sql, `select '${text}' as a`),
  "the library on a name": (text) => statementDiagnostic(sql, `select \`${text}\` as a`),
  "the library on a comment": (text) => statementDiagnostic(sql, `select /*${text}*/ 1 as a`),
});

/**
 * Tests the library with as many tokens as the limits allow for 1 MiB. Its time for aliases is not linear: limits.ts
 * bounds it.
 */
const padded = (item: string, tokens: number) => item.padEnd(72 * tokens);
testLinear(
  {
    "the library on a list": (text) => statementDiagnostic(sql, `select ${text} 1 as a from orders`),
    "the library on the values of IN": (text) =>
      statementDiagnostic(sql, `select 1 as a from orders where id in (${text} 1)`),
    "the library on rows": (text) => statementDiagnostic(sql, `values ${text} (1)`),
    "the library on tables": (text) => statementDiagnostic(sql, `select 1 as a from ${text} orders`),
    "the analysis of a list": (text) => analyzeSelect(sql, `select ${text} 1 as a from orders`, shop),
  },
  [
    padded("a,", 2),
    padded("'a',", 2),
    padded("(1),", 4),
    padded("f(a),", 5),
    padded("a.b.c,", 6),
    padded("case when a then b end,", 7),
    padded("cast(a as array<int>),", 10),
    padded("[1],", 4),
  ],
);
