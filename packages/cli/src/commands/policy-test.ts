import { runExamples } from "@lakehelm/policy";
import { Failure } from "../failure.ts";
import { type GlobalOptions, outputOf } from "../globals.ts";
import { type Io, note, write } from "../io.ts";
import { lines } from "../output/escape.ts";
import { printValue } from "../output/print.ts";
import { checkedProject, type ProjectCommandOptions } from "./project-options.ts";

/** Runs the examples of a project's policies. */
export async function policyTest(
  io: Io,
  options: ProjectCommandOptions,
  globals: GlobalOptions,
): Promise<void> {
  const output = outputOf(globals);
  const { policies } = await checkedProject(io, options, globals);
  const results = [];
  for (const policy of policies) {
    if (policy.examples.length === 0) note(io, `${policy.file}: the rule has no examples.`);
    else results.push(...(await runExamples(policy, policy.examples)));
  }
  if (output.output !== "table" || output.query !== undefined) await printValue(io, results, output);
  else {
    for (const { policy, example, passed, expected, found } of results) {
      const difference = passed ? "" : `\n    expected: ${textOf(expected)}\n    found:    ${textOf(found)}`;
      await write(io.stdout, lines(`${passed ? "ok  " : "FAIL"} ${policy}: ${example}${difference}\n`));
    }
  }
  const failed = results.filter(({ passed }) => !passed).length;
  if (failed > 0) throw new Failure(`${failed} of ${results.length} examples failed.`);
}

const textOf = (messages: readonly string[]) => (messages.length === 0 ? "nothing" : messages.join(" | "));
