import { parentPort, workerData } from "node:worker_threads";
import type { PolicyResult, ThreadMessage, ThreadRequest } from "./check.ts";
import type { PolicyInput, PolicyRule } from "./input.ts";
import { firstLine, NotKnownError, readRule, violates } from "./rule.ts";

type MessagePlaceholder = "action" | "kind" | "name" | "actor" | "environment" | "project";
const placeholders = /\{(action|kind|name|actor|environment|project)\}/g;

const { policies, inputs, maxResults } = workerData as ThreadRequest;

function resultsOf(policy: PolicyRule): PolicyResult[] {
  const { name, level, rule, message } = policy;
  const read = readRule(rule);
  if ("problem" in read) {
    return [{ policy: name, level, at: null, message: `The rule is not valid CEL: ${read.problem}` }];
  }
  const results: PolicyResult[] = [];
  for (const [at, input] of inputs.entries()) {
    if (results.length === maxResults) break;
    try {
      if (!violates(read.evaluate, input)) continue;
      results.push({ policy: name, level, at, message: filled(message, input) });
    } catch (error) {
      const problem =
        error instanceof NotKnownError
          ? `The rule could not be evaluated: ${error.message}`
          : `The rule could not be evaluated: ${firstLine(error)}. Guard optional fields with has().`;
      results.push({ policy: name, level, at, message: problem });
    }
  }
  return results;
}

function filled(message: string, input: PolicyInput): string {
  const { action, resource, actor, environment, project } = input;
  const values: Record<MessagePlaceholder, string> = {
    action,
    kind: resource.kind,
    name: resource.name,
    actor,
    environment: environment.name,
    project: project.name,
  };
  return message.replace(placeholders, (_, key: MessagePlaceholder) => values[key]);
}

const { user, system } = process.threadCpuUsage();
parentPort?.postMessage({ loading: user + system } satisfies ThreadMessage);
for (const [done, policy] of policies.entries()) {
  parentPort?.postMessage({ done, results: resultsOf(policy) } satisfies ThreadMessage);
}
