import { suggestion } from "@lakehelm/contract/text";
import { DataProblem } from "../../protocol/problem.ts";

/** Finds a dataset by its exact name, or the only one whose name differs in case. Throws a DataProblem with similar names. */
export function findDataset<Dataset extends { readonly name: string }>(
  name: string,
  datasets: readonly Dataset[],
  where: string,
): Dataset {
  const exact = datasets.find((dataset) => dataset.name === name);
  if (exact) return exact;
  const similar = datasets.filter((dataset) => dataset.name.toLowerCase() === name.toLowerCase());
  if (similar.length === 1 && similar[0]) return similar[0];
  throw new DataProblem(
    `There is no dataset ${JSON.stringify(name)} in ${where}.${suggestion(
      name,
      datasets.map((dataset) => dataset.name),
    )}`,
  );
}
