import type { RequestParseResult } from "@lakehelm/contract";
import type { DecodedBody, ValidationError } from "@lakehelm/contract/schema";
import type { YamlProblem } from "../../core/yaml/parse.ts";
import { readYaml } from "../../core/yaml/read.ts";

interface YamlBody {
  /** The text; empty if it is not valid text. */
  readonly text: string;
  /** The decoded value, as of a JSON body. */
  readonly decoded: DecodedBody;
  /** Validation errors with line and column. */
  located(reading: RequestParseResult): RequestParseResult;
}

/** `application/yaml` (RFC 9512), `…+yaml` and older names. Parameters are ignored. */
const isYaml = (contentType = "") =>
  /^\s*(?:(?:application|text)\/(?:x-)?yaml|application\/[^;\s/]+\+yaml)\s*(?:;|$)/i.test(contentType);

/** The body of a request with a YAML content type; undefined for any other. */
export async function readYamlBody(
  bytes: Buffer | undefined,
  contentType: string | undefined,
  owner: string,
): Promise<YamlBody | undefined> {
  if (!bytes || bytes.length === 0 || !isYaml(contentType)) return undefined;
  const same = (reading: RequestParseResult) => reading;
  const text = utf8(bytes);
  if (text === undefined) {
    return { text: "", decoded: { unreadable: "There was an error parsing the body" }, located: same };
  }
  const read = await readYaml(text, { owner });
  if ("problems" in read) {
    return { text, decoded: { errors: read.problems.map(yamlInvalid) }, located: same };
  }
  const located = (entry: ValidationError): ValidationError => {
    const [root, ...path] = entry.loc;
    if (root !== "body") return entry;
    const position = entry.type === "extra_forbidden" ? read.positionOfKey(path) : read.positionOf(path);
    return { ...entry, ctx: { ...entry.ctx, ...position } };
  };
  return {
    text,
    decoded: { value: read.value },
    located: (reading) => ("errors" in reading ? { errors: reading.errors.map(located) } : reading),
  };
}

const yamlInvalid = ({ line, column, message }: YamlProblem): ValidationError => ({
  type: "yaml_invalid",
  loc: ["body", line, column],
  msg: `YAML decode error in line ${line}, column ${column}`,
  input: {},
  ctx: { error: message, line, column },
});

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
