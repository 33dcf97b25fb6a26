import { suggestion } from "@lakehelm/contract/text";
import { cronProblem } from "@lakehelm/schedule";

interface InvalidValue {
  readonly msg: string;
  readonly input?: unknown;
  readonly ctx?: { readonly expected?: unknown };
}

/**
 * A validation error as text for users. The contract fixes the original text, which does not name the wrong field of a
 * cron expression and suggests no value for a misspelled one.
 */
export function invalidValueText({ msg, input, ctx }: InvalidValue): string {
  if (typeof input !== "string") return msg;
  if (/^(?:Value error, )?invalid cron expression$/.test(msg)) return cronProblem(input) ?? msg;
  const expected = typeof ctx?.expected === "string" ? ctx.expected : "";
  const allowed = [...expected.matchAll(/'([^']*)'/g)].map(([, value]) => value ?? "");
  const close = suggestion(input, allowed);
  return close === "" ? msg : `${msg}.${close}`;
}
