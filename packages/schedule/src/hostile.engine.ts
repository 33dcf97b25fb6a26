import { testLinear } from "@lakehelm/testing/linear";
import { parseCron } from "./cron/cron-expression.ts";
import { toQuartz } from "./quartz/conversion.ts";
import { parseQuartz } from "./quartz/timetable.ts";
import { timezoneProblem } from "./timezone.ts";

/** Every parser of this package that reads text from a caller. */
testLinear({
  parseCron,
  "parseCron of a field": (text) => parseCron(`${text} * * * *`),
  toQuartz,
  parseQuartz,
  timezoneProblem,
});
