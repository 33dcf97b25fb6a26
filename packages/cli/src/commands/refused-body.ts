import type { Endpoint } from "@lakehelm/contract";
import { isObject } from "@lakehelm/contract/schema";
import { shown, suggestion } from "@lakehelm/contract/text";
import { unknownFields } from "../project/checks/schema-check.ts";
import type { OperationName } from "../table/spec.ts";
import { UsageError } from "../usage-error.ts";

const platforms = ["embedded", "databricks", "spark"];

/**
 * Refuses a body that the contract allows but that is surely a mistake, because the API would store or ignore it.
 * `--unchecked` sends it anyway.
 */
export function refuseMistakes(operation: OperationName, { body: schema }: Endpoint, body: unknown): void {
  if (schema === undefined || schema === "bytes") return;
  const problems = unknownFields(schema, body).map(({ message }) => message);
  if (/^(?:create|update)Environment$/.test(operation) && isObject(body))
    problems.push(...environmentProblems(body));
  if (problems.length === 0) return;
  const list = problems.slice(0, 20).map((problem) => `\n  ${problem}`);
  throw new UsageError(
    `The request was not sent.${list.join("")}\nTo send it as it is, for a server that knows more than this command: --unchecked`,
  );
}

function environmentProblems({ platform, configuration }: Readonly<Record<string, unknown>>): string[] {
  const remote = isObject(configuration) ? configuration.remote : undefined;
  return [
    ...(typeof platform === "string" && !platforms.includes(platform)
      ? [
          `platform: ${shown(platform)} is not known. Expected ${platforms.join(", ")}.${suggestion(platform, platforms)}`,
        ]
      : []),
    ...(typeof remote === "string" && !remote.startsWith("sc://") && !remote.startsWith("{{")
      ? [
          `configuration.remote: ${shown(remote)} is not the address of a Spark Connect server. Write it as sc://host:15002.`,
        ]
      : []),
  ];
}
