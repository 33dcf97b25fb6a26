import { UsageError } from "../usage-error.ts";

/** The value of an option that is an integer, if it was given. */
export function integerOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${option} must be an integer, not "${text}".`);
  return Number(text);
}
