import { testLinear } from "@lakehelm/testing/linear";
import { parseColumnType } from "./column-type.ts";

/** Every parser of this package that reads text from a caller. */
testLinear({
  parseColumnType,
  "parseColumnType of a struct": (text) => parseColumnType(`STRUCT<${text}>`),
});
