import { isReordered } from "@lakehelm/contract/changes";
import type { AlterTableResult } from "@lakehelm/engine";

/** The changes, a sentence for each. */
export function changeSentences(result: AlterTableResult): string[] {
  const { columns, dropped, before, remarks } = result;
  const reordered = isReordered(result, before);
  const changes = [
    ...dropped.map(({ name, type }) => `${name} (${type}) is dropped, with its values.`),
    ...columns.flatMap(({ name, type, before: former }) => [
      ...(type === former.type ? [] : [`${former.name} changes from ${former.type} to ${type}.`]),
      ...(name === former.name ? [] : [`${former.name} is renamed to ${name}.`]),
    ]),
    ...(reordered ? [`The order of the columns is ${columns.map(({ name }) => name).join(", ")}.`] : []),
  ];
  return changes.length === 0 ? [] : [...changes, ...remarks];
}

export const unfitSentences = ({ columns }: AlterTableResult): string[] =>
  columns.flatMap(({ before, type, unfit }) =>
    unfit === 0
      ? []
      : [
          `${unfit === 1 ? "One row has" : `${unfit} rows have`} a ${before.name} that does not fit ${type}, and nothing is rounded or cut off. Choose a wider type, or correct the rows first.`,
        ],
  );
