import { shown } from "../text/display.ts";
import { isMap, readFields } from "./config.ts";
import { integer, oneOf, plainText } from "./fields.ts";

const pagingTypes = ["none", "page", "offset", "cursor", "link"] as const;

/** How a REST API splits a list into pages. */
export interface Paging {
  readonly type: (typeof pagingTypes)[number];
  /** The query parameter that selects the page, or the path of that parameter in a body. */
  readonly parameter: string;
  readonly first: number;
  /** The path of the next cursor or URL in a response; `null`: it is in the Link header. */
  readonly nextPath: string | null;
  /** The path of a value in a response that is false on the last page; `null`: there is none. */
  readonly morePath: string | null;
  readonly sizeParameter: string;
}

const pagingFields = {
  type: oneOf(...pagingTypes).default("none"),
  parameter: plainText().optional(),
  first: integer(0, 1_000_000).default(1),
  next_path: plainText().optional(),
  more_path: plainText().optional(),
  size_parameter: plainText().default("limit"),
};

/** The keys that each type accepts, in addition to `type` and `size_parameter`. */
const keysByType: Readonly<Record<Paging["type"], readonly string[]>> = {
  none: [],
  page: ["parameter", "first"],
  offset: ["parameter"],
  cursor: ["parameter", "next_path", "more_path"],
  link: ["next_path", "more_path"],
};

/** Reads `paging`: a type, or a map with a type and its keys. */
export function readPaging(value: unknown, problems: string[], path = "connection.config.paging"): Paging {
  if (typeof value !== "string" && !isMap(value) && value !== undefined && value !== null) {
    problems.push(`${path}: it must be one of ${pagingTypes.join(", ")}, or a map with such a type.`);
  }
  const config = isMap(value) ? value : { type: typeof value === "string" ? value : "none" };
  const read = readFields(pagingFields, config, path);
  const { type, next_path: nextPath = null } = read.values;
  problems.push(...read.problems);
  if (isMap(value) && !value.type) problems.push(`${path}.type: it is required.`);
  if (type === "cursor" && nextPath === null) {
    problems.push(`${path}.next_path: it is required: the path of the next cursor in a response.`);
  }
  const known = ["type", "size_parameter", ...keysByType[type]];
  for (const key of Object.keys(config).filter((key) => !known.includes(key))) {
    problems.push(`${path}: ${shown(key)} has no effect with type ${type}. Expected ${known.join(", ")}.`);
  }
  return {
    type,
    parameter: read.values.parameter ?? type,
    first: read.values.first,
    nextPath,
    morePath: read.values.more_path ?? null,
    sizeParameter: read.values.size_parameter,
  };
}
