import { shown } from "../text/display.ts";
import { ConfigReader, isMap } from "./config-reader.ts";

const types = ["none", "page", "offset", "cursor", "link"] as const;

export interface Paging {
  readonly type: (typeof types)[number];
  /** The parameter that says which page is meant. */
  readonly parameter: string;
  readonly first: number;
  /** Where in an answer the next cursor or address is; `null`: in its Link header. */
  readonly nextPath: string | null;
  readonly sizeParameter: string;
}

/** `paging` is a type alone, or a map of it and what belongs to it. */
export function readPaging(value: unknown, problems: string[]): Paging {
  if (typeof value !== "string" && !isMap(value) && value !== undefined && value !== null) {
    problems.push(
      `connection.config.paging: it must be one of ${types.join(", ")}, or a map with such a type.`,
    );
  }
  const map = isMap(value) ? value : { type: typeof value === "string" ? value : "none" };
  const config = new ConfigReader(map, "connection.config.paging");
  const type = config.choice("type", types) ?? "none";
  const keys = { none: [], page: ["first"], offset: [], cursor: ["next_path"], link: ["next_path"] }[type];
  const paging: Paging = {
    type,
    parameter: config.plain("parameter") ?? type,
    first: config.count("first", 0, 1_000_000) ?? 1,
    nextPath: config.plain("next_path") ?? null,
    sizeParameter: config.plain("size_parameter") ?? "limit",
  };
  if (isMap(value) && config.text("type") === undefined)
    problems.push("connection.config.paging.type: it is required.");
  if (type === "cursor" && paging.nextPath === null) {
    problems.push(
      "connection.config.paging.next_path: it is required: where in an answer is the next cursor?",
    );
  }
  const known = [
    "type",
    "size_parameter",
    ...(type === "none" || type === "link" ? [] : ["parameter"]),
    ...keys,
  ];
  for (const key of Object.keys(map).filter((key) => !known.includes(key))) {
    problems.push(
      `connection.config.paging: ${shown(key)} has no meaning for the type ${type}. Expected ${known.join(", ")}.`,
    );
  }
  problems.push(...config.problems);
  return paging;
}
