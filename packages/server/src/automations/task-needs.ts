import type { AutomationTask } from "@lakehelm/contract";
import { type Finding, finding } from "./finding.ts";

/** What a task of each kind needs, and what it cannot have. */
export function needFindings(task: AutomationTask, at: number): Finding[] {
  const { name, kind } = task;
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(name)) {
    return [
      finding(
        `The task name ${JSON.stringify(name)} is not one to 100 letters, digits, "_" or "-".`,
        ...["tasks", at, "name"],
      ),
    ];
  }
  const lacks = (what: string) =>
    finding(`Task "${name}" is of kind ${kind} and needs ${what}.`, "tasks", at);
  switch (kind) {
    case "sql":
      return task.query?.trim() ? [] : [lacks("a query")];
    case "http":
      return [
        ...(isWebAddress(task.url ?? "") ? [] : [lacks("an http(s) url")]),
        ...requestFindings(task, at),
      ];
    default:
      return task.reference ? [] : [lacks(`a reference: the ${kind}'s name`)];
  }
}

/** One that begins with a placeholder is known when it runs. */
function isWebAddress(url: string): boolean {
  if (/^\{\{[^{}]+\}\}/.test(url)) return true;
  const filled = url.replace(/\{\{[^{}]*\}\}/g, "x");
  return /^https?:$/.test(URL.parse(filled)?.protocol ?? "");
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const parts = ["method", "headers", "body"];

/** What an http task sends is in its parameters. */
function requestFindings({ name, parameters }: AutomationTask, at: number): Finding[] {
  const found: Finding[] = [];
  const wrong = (sentence: string, ...place: string[]) =>
    found.push(finding(`Task "${name}": ${sentence}`, "tasks", at, "parameters", ...place));
  for (const key of Object.keys(parameters).filter((one) => !parts.includes(one))) {
    wrong(`An http request has ${parts.join(", ")}, and no "${key}".`, key);
  }
  const { method = "POST", headers = {}, body } = parameters;
  if (typeof method !== "string" || !methods.includes(method.toUpperCase())) {
    wrong(`The method is not one of ${methods.join(", ")}.`, "method");
  } else if (/^(?:GET|HEAD)$/i.test(method) && body !== undefined && body !== null) {
    wrong(`A ${method.toUpperCase()} request has no body.`, "body");
  }
  if (typeof headers !== "object" || headers === null || Array.isArray(headers)) {
    wrong("The headers are not names with their values.", "headers");
    return found;
  }
  for (const [header, value] of Object.entries(headers)) {
    const sound = typeof value === "string" && isHeader(header, value);
    if (!sound) wrong(`The header ${JSON.stringify(header)} cannot be sent.`, "headers", header);
  }
  return found;
}

/** A name is a token of RFC 9110; a value is one line. */
const isHeader = (header: string, value: string) =>
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
