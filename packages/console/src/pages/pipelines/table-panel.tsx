import type { UpdatedTable } from "@lakehelm/contract";
import type { VNode } from "preact";
import { environmentNameOf } from "../../app/permissions.ts";
import { hrefOf, setQuery } from "../../app/router.ts";
import { catalogPath } from "../../data/catalog.ts";
import { type Pipeline, useUpdates } from "../../data/pipelines.ts";
import { count, counted } from "../../format/number.ts";
import { duration, localTime } from "../../format/time.ts";
import { Status } from "../../ui/status.tsx";
import { type ColumnPlace, outcomesByName, type TableNode, violations } from "./table-graph.ts";
import { kindText, rowsText, shortName } from "./texts.ts";

interface TablePanelProps {
  readonly pipeline: Pipeline;
  readonly name: string;
  /** Undefined: the table is outside the pipeline. */
  readonly table: TableNode | undefined;
  readonly outcome: UpdatedTable | undefined;
  readonly column: string | undefined;
  readonly lineage:
    | { readonly up: readonly ColumnPlace[]; readonly down: readonly ColumnPlace[] }
    | undefined;
}

/** Splits `catalog.schema.table`. */
const partsOf = (full: string) => {
  const [catalog = "", schema = "", name = ""] = full.split(".");
  return { catalog, schema, name };
};

/** One table of the graph: its rows, expectations and columns. */
export function TablePanel({ pipeline, name, table, outcome, column, lineage }: TablePanelProps): VNode {
  return (
    <aside class="card table-panel" aria-label={`Table ${shortName(name)}`}>
      <header>
        <h2 class="clip grow" title={name}>
          {shortName(name)}
        </h2>
        {outcome && <Status value={outcome.state} />}
        <button
          type="button"
          class="button quiet"
          aria-label="Close"
          onClick={() => setQuery({ table: undefined, column: undefined })}
        >
          ×
        </button>
      </header>
      <div class="body stack">
        <div class="row wrap">
          <span class="soft">{table ? kindText(table.kind) : "outside this pipeline"}</span>
          <span class="grow" />
          {table && table.path !== "" && (
            <a
              href={hrefOf(
                `/pipelines/${pipeline.pipeline_id}?tab=sql&file=${encodeURIComponent(table.path)}&line=${table.line}`,
              )}
            >
              SQL
            </a>
          )}
          <a
            href={hrefOf(
              `${catalogPath(partsOf(name))}?env=${encodeURIComponent(environmentNameOf(pipeline.environment_id))}`,
            )}
          >
            Catalog
          </a>
        </div>
        {table?.comment && <p>{table.comment}</p>}
        {outcome?.error && <p class="cause">{outcome.error}</p>}
        {outcome && (
          <p class="number">
            {rowsText(outcome) || "No rows changed"}{" "}
            <span class="faint">in {duration(outcome.seconds * 1000)}</span>
          </p>
        )}
        {table && table.expectations.length > 0 && (
          <Expectations pipeline={pipeline} table={table} outcome={outcome} />
        )}
        {table && table.columns.length > 0 && <Columns table={table} column={column} lineage={lineage} />}
      </div>
    </aside>
  );
}

const actionText = { keep: "kept", drop: "row dropped", fail: "update fails" };

function Expectations({
  pipeline,
  table,
  outcome,
}: {
  pipeline: Pipeline;
  table: TableNode;
  outcome: UpdatedTable | undefined;
}): VNode {
  return (
    <section>
      <h3>Expectations</h3>
      <ul class="expectations">
        {table.expectations.map(({ name, condition, action }) => {
          const checked = outcome?.expectations.find((one) => one.name === name);
          return (
            <li key={name}>
              <span class="row">
                <strong class="clip grow">{name}</strong>
                {checked && (
                  <span class={checked.failed > 0 ? "dropped number" : "faint number"}>
                    {count(checked.failed)} of {count(checked.failed + checked.passed)} broke it
                  </span>
                )}
              </span>
              <span class="row">
                <code class="clip grow" title={condition}>
                  {condition}
                </code>
                <span class="faint">{actionText[action]}</span>
              </span>
            </li>
          );
        })}
      </ul>
      <DropHistory pipeline={pipeline} name={table.name} />
    </section>
  );
}

/** A bar for each of the last updates: the number of rows that broke an expectation of the table. */
function DropHistory({ pipeline, name }: { pipeline: Pipeline; name: string }): VNode | null {
  const { data } = useUpdates(pipeline.pipeline_id, 20);
  const updates = (data?.updates ?? []).filter(({ validate_only }) => !validate_only).reverse();
  const bars = updates.map((update) => {
    const outcome = outcomesByName(update).get(name);
    return { update, broken: violations(outcome), dropped: outcome?.rows_dropped ?? 0 };
  });
  if (bars.length < 2) return null;
  if (bars.every(({ broken }) => broken === 0))
    return <p class="faint">No row broke them in the last {bars.length} updates.</p>;
  const highest = Math.max(1, ...bars.map(({ broken }) => broken));
  return (
    <figure class="rows-chart">
      <figcaption class="faint">Rows that broke them in the last {bars.length} updates</figcaption>
      <ol>
        {bars.map(({ update, broken, dropped }) => {
          const text = `${localTime(update.creation_time)}: ${count(broken)} broke an expectation, ${count(dropped)} dropped`;
          return (
            <li key={update.update_id}>
              <a
                href={hrefOf(
                  `/pipelines/${pipeline.pipeline_id}?update=${update.update_id}&table=${encodeURIComponent(name)}`,
                )}
                title={text}
              >
                <span
                  class={`bar ${broken > 0 ? "warn" : "good"}`}
                  style={{ height: `max(3px, ${(broken / highest) * 100}%)` }}
                />
                <span class="visually-hidden">{text}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}

function Columns({
  table,
  column,
  lineage,
}: { table: TableNode } & Pick<TablePanelProps, "column" | "lineage">): VNode {
  return (
    <section>
      <h3>{counted(table.columns.length, "column")}</h3>
      <ul class="column-list">
        {table.columns.map(({ name, type }) => {
          const isChosen = name === column;
          return (
            <li key={name}>
              <button
                type="button"
                class="row"
                aria-expanded={isChosen}
                onClick={() => setQuery({ column: isChosen ? undefined : name })}
              >
                <span class="clip grow">{name}</span>
                <code class="faint">{type}</code>
              </button>
              {isChosen && lineage && (
                <dl class="lineage">
                  <dt>From</dt>
                  <dd>
                    <Places places={lineage.up} empty="nothing that is read: computed here" />
                  </dd>
                  <dt>To</dt>
                  <dd>
                    <Places places={lineage.down} empty="no other column of this pipeline" />
                  </dd>
                </dl>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Places({ places, empty }: { places: readonly ColumnPlace[]; empty: string }): VNode {
  if (places.length === 0) return <span class="faint">{empty}</span>;
  return (
    <ul>
      {places.map(({ table, column }) => (
        <li key={`${table}.${column}`} title={`${table}.${column}`}>
          <button type="button" class="link" onClick={() => setQuery({ table, column })}>
            {shortName(table)}.{column}
          </button>
        </li>
      ))}
    </ul>
  );
}
