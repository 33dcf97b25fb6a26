import { hidden, shown } from "../text/display.ts";

/** Why a name cannot be a column name. */
export function columnNameProblem(name: string): string | undefined {
  if (name === "") return "a name is empty.";
  if ([...name].length > 255) return `the name ${shown(name)} is longer than 255 characters.`;
  if (hidden.test(name)) return `the name ${shown(name)} contains an invisible character.`;
  if (name.trim() !== name) return `the name ${shown(name)} begins or ends with a space.`;
  if (name.includes("${"))
    return `the name ${shown(name)} contains "\${", which Spark and bundles would replace.`;
  return undefined;
}
