import { hidden } from "@lakehelm/contract/text";

/**
 * Why a text cannot be the name of a flow or connector. The name is also written into bundles, which replace `${…}` and
 * `{{…}}`.
 */
export function titleProblem(name: string): string | undefined {
  if (name.trim() === "") return "it is empty.";
  if ([...name].length > 100) return "it is longer than 100 characters.";
  if (hidden.test(name)) return "it contains a line end or an invisible character.";
  if (name.includes("${") || name.includes("{{"))
    return 'it contains "${" or "{{", which a bundle would replace.';
  return undefined;
}
