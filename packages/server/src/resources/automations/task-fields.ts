import { type AutomationTask, maxForEachItems } from "@lakehelm/contract";
import { isConnectionHeader } from "@lakehelm/contract/connections";
import { counted } from "@lakehelm/contract/text";
import { hasUrlSecret } from "./address-secrets.ts";
import { processFieldFindings } from "./process-tasks.ts";
import { queryFindings } from "./task-query.ts";
import { placeholdersIn } from "./templates.ts";
import { finding, type ValidationFinding } from "./validation-finding.ts";

/** Required and forbidden fields by task kind. */
export function taskFieldFindings(task: AutomationTask, at: number): ValidationFinding[] {
  const { name } = task;
  const isNamed = /^[A-Za-z0-9_-]{1,100}$/.test(name);
  const misnamed = `The task name ${JSON.stringify(name)} must have 1 to 100 letters, digits, "_" or "-".`;
  return [
    ...(isNamed ? [] : [finding(misnamed, "tasks", at, "name")]),
    ...kindFindings(task, at),
    ...itemFindings(task, at),
  ];
}

/** The list of a `for_each` is a list, or one placeholder. */
function itemFindings({ name, for_each }: AutomationTask, at: number): ValidationFinding[] {
  if (!for_each) return [];
  const { items } = for_each;
  const wrong = (sentence: string) => [
    finding(`Task "${name}": ${sentence}`, "tasks", at, "for_each", "items"),
  ];
  if (Array.isArray(items)) {
    return items.length <= maxForEachItems
      ? []
      : wrong(`The list has ${counted(items.length, "item")}, and at most ${maxForEachItems} are possible.`);
  }
  const [only] = typeof items === "string" ? placeholdersIn(items) : [];
  if (only !== undefined && only.text === items) return [];
  return wrong("The items must be a list, or one placeholder whose value is a list.");
}

function kindFindings(task: AutomationTask, at: number): ValidationFinding[] {
  const { name, kind } = task;
  const lacks = (what: string) =>
    finding(`Task "${name}" is of kind ${kind} and needs ${what}.`, "tasks", at);
  switch (kind) {
    case "sql":
      return queryFindings(task, at);
    case "python":
    case "shell":
      return processFieldFindings(task, at);
    case "http":
      return [
        ...(isWebAddress(task.url ?? "") ? [] : [lacks("an http(s) url")]),
        ...(hasCredentials(task.url ?? "")
          ? [finding(`Task "${name}": ${credentialsProblem}`, "tasks", at, "url")]
          : []),
        ...requestFindings(task, at),
      ];
    default:
      return task.reference
        ? []
        : [lacks(`a reference: the ${kind}'s ${kind === "automation" ? "alias" : "name"}`)];
  }
}

/** A URL that begins with a placeholder is only known at run time. */
const isWebAddress = (url: string) =>
  /^\{\{[^{}]+\}\}/.test(url) || /^https?:$/.test(sampled(url)?.protocol ?? "");

const sampled = (url: string) => URL.parse(url.replace(/\{\{[^{}]*\}\}/g, "x"));

function hasCredentials(url: string): boolean {
  const { username = "", password = "" } = sampled(url) ?? {};
  return username !== "" || password !== "" || hasUrlSecret(url);
}

const credentialsProblem =
  "The URL must not contain a user, a password or another secret. Send the header Authorization with a reference to a secret: {{secrets/<scope>/<key>}}.";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const requestKeys = ["method", "headers", "body"];

/** The parameters of an http task define its request. */
function requestFindings({ name, parameters }: AutomationTask, at: number): ValidationFinding[] {
  const found: ValidationFinding[] = [];
  const wrong = (sentence: string, ...path: string[]) =>
    found.push(finding(`Task "${name}": ${sentence}`, "tasks", at, "parameters", ...path));
  for (const key of Object.keys(parameters).filter((one) => !requestKeys.includes(one))) {
    wrong(`Unknown parameter "${key}". An http request has ${requestKeys.join(", ")}.`, key);
  }
  const { method = "POST", headers = {}, body } = parameters;
  if (typeof method !== "string" || !methods.includes(method.toUpperCase())) {
    wrong(`The method must be one of ${methods.join(", ")}.`, "method");
  } else if (/^(?:GET|HEAD)$/i.test(method) && body !== undefined && body !== null) {
    wrong(`A ${method.toUpperCase()} request cannot have a body.`, "body");
  }
  if (typeof headers !== "object" || headers === null || Array.isArray(headers)) {
    wrong("The headers must be a map of names and values.", "headers");
    return found;
  }
  for (const [header, value] of Object.entries(headers)) {
    const problem = headerProblem(header, value);
    if (problem !== undefined) wrong(`The header ${JSON.stringify(header)} ${problem}.`, "headers", header);
  }
  return found;
}

/** A header name is an RFC 9110 token; a value is one line. */
function headerProblem(header: string, value: unknown): string | undefined {
  if (isConnectionHeader(header)) return "is set by the HTTP client and cannot be overridden";
  if (typeof value !== "string") return "must be a string: put quotes around its value";
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header)) return "has characters that no header can have";
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? undefined : "has a value that cannot be sent";
}
