import type { VNode } from "preact";
import { type CatalogTable, useSample } from "../../data/catalog.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";

const cellText = (value: unknown): string =>
  value === null ? "NULL" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** The first rows of a table. */
export function Sample({ environment, table }: { environment: string; table: CatalogTable }): VNode {
  const { data, error, refresh } = useSample(environment, table);
  if (!data) return error ? <ErrorBox error={error} retry={refresh} /> : <Loading what="rows" />;
  if (data.rows.length === 0) return <EmptyState title="The table has no rows" />;
  return (
    <section class="samples sample-rows" aria-label="Sample rows" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {data.columns.map(({ name, type }, at) => (
              <th key={at} scope="col" title={type}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row, at) => (
            <tr key={at}>
              {row.map((value, column) => (
                <td key={column} class={value === null ? "faint" : undefined}>
                  {cellText(value).slice(0, 200)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
