import { testLinear } from "@lakehelm/testing/linear";
import { parseColumnType } from "./column-type.ts";

/** Every parser of this package that gets a text of a caller. */
testLinear({
  parseColumnType,
  "parseColumnType of a struct": (text) => parseColumnType(`STRUCT<${text}>`),
});
