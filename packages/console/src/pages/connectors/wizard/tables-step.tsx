import type { Connector, endpoints } from "@lakehelm/contract";
import type { ClientResult } from "@lakehelm/contract/client";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../../app/client.ts";
import { queryClient, useAction, useQuery } from "../../../app/queries.ts";
import { count } from "../../../format/number.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorBox } from "../../../ui/error-box.tsx";
import { Loading } from "../../../ui/page.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { type Choice, choiceFor, datasetOf } from "./choices.ts";
import { connectorKinds } from "./kinds.ts";
import { inUpdateOrder } from "./update-order.ts";

type Offered = Pick<
  ClientResult<typeof endpoints.discoverConnector>["datasets"][number],
  "name" | "primary_keys" | "watermark_candidates" | "rows"
> & { readonly columns: readonly { readonly name: string; readonly type: string }[] };

interface TablesStepProps {
  readonly connector: Connector;
  readonly environment: string;
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/** The tables to move, with their targets, keys and watermarks. */
export function TablesStep({ connector, environment, onBack, onNext }: TablesStepProps): VNode {
  const params = { connector_id: connector.id };
  const isExport = connector.target_type !== "warehouse";
  const { connection } = (connector.target_config ?? {}) as { connection?: { type?: unknown } };
  const isNamed = connectorKinds.some(
    ({ type, direction, listsNothing }) =>
      listsNothing === true && direction === "import" && type === connection?.type,
  );
  const found = useQuery({
    // Discovery connects to the other system, so it runs once for each connection.
    key: ["discover", connector.id, connector.updated_at],
    read: (signal) =>
      isExport
        ? warehouseTables(environment, signal)
        : api
            .discoverConnector({ params, signal, timeoutMs: 120_000 })
            .then(({ datasets }): readonly Offered[] => datasets),
  });
  const [added, setAdded] = useState<readonly string[]>(
    (connector.datasets ?? []).map(({ source_dataset }) => source_dataset),
  );
  const [changes, setChanges] = useState<ReadonlyMap<string, Partial<Choice>>>(new Map());
  const [search, setSearch] = useState("");
  const choiceOf = (offered: Offered): Choice => ({
    ...choiceFor(offered, connector.datasets ?? []),
    ...changes.get(offered.name),
  });
  const change = (name: string, values: Partial<Choice>) =>
    setChanges(new Map(changes).set(name, { ...changes.get(name), ...values }));
  const all = isNamed ? added.map(named) : (found.data ?? []);
  const chosen = all.filter((offered) => choiceOf(offered).isChosen);

  const save = useAction(async () => {
    const names = new Set(chosen.map(({ name }) => name));
    const before = new Map<string, string>();
    for (const { id, source_dataset: name } of connector.datasets ?? []) {
      const isKept = names.has(name) && !before.has(name);
      if (isKept) before.set(name, id);
      else await api.removeDataset({ params: { ...params, dataset_id: id } });
    }
    const bodies = chosen.map((offered) => datasetOf(offered.name, choiceOf(offered)));
    const updates = bodies.flatMap((body) => {
      const id = before.get(body.source_dataset);
      return id === undefined ? [] : [{ id, body }];
    });
    // An update keeps the settings that this page does not show.
    for (const { id, body } of inUpdateOrder(connector.datasets ?? [], updates))
      await api.updateDataset({ params: { ...params, dataset_id: id }, body });
    for (const body of bodies) if (!before.has(body.source_dataset)) await api.addDataset({ params, body });
    await queryClient.invalidateQueries({ queryKey: ["connector", connector.id] });
    onNext();
  });

  if (!found.data) {
    return found.error ? (
      <ErrorBox error={found.error} retry={found.refresh} />
    ) : (
      <Loading what="the tables of the system" />
    );
  }
  const columns: readonly Column<Offered>[] = [
    {
      title: "Table",
      width: "minmax(220px, 1.2fr)",
      cell: (offered) => (
        <label class="check">
          <input
            type="checkbox"
            checked={choiceOf(offered).isChosen}
            onChange={(event) => change(offered.name, { isChosen: event.currentTarget.checked })}
          />
          <span class="clip" title={offered.columns.map(({ name, type }) => `${name} ${type}`).join("\n")}>
            {offered.name}
          </span>
        </label>
      ),
    },
    {
      title: "Rows",
      width: "90px",
      isRight: true,
      cell: ({ rows }) => (rows === null ? <span class="faint">–</span> : count(rows)),
    },
    {
      title: "Writes to",
      width: "minmax(180px, 1fr)",
      cell: (offered) => (
        <input
          class="input"
          aria-label={`${isExport ? "Name in the other system" : "Table in the warehouse"} for ${offered.name}`}
          value={choiceOf(offered).target}
          onInput={(event) => change(offered.name, { target: event.currentTarget.value })}
        />
      ),
    },
    {
      title: "Key",
      width: "minmax(140px, 1fr)",
      cell: (offered) => (
        <input
          class="input"
          aria-label={`Key columns of ${offered.name}`}
          placeholder="none: adds rows"
          value={choiceOf(offered).keys}
          onInput={(event) => change(offered.name, { keys: event.currentTarget.value })}
        />
      ),
    },
    {
      title: "Watermark",
      width: "minmax(150px, 1fr)",
      cell: (offered) =>
        isNamed ? (
          <input
            class="input"
            aria-label={`Watermark of ${offered.name}`}
            placeholder="none: all rows"
            value={choiceOf(offered).watermark}
            onInput={(event) => change(offered.name, { watermark: event.currentTarget.value })}
          />
        ) : (
          <select
            class="input"
            aria-label={`Watermark of ${offered.name}`}
            value={choiceOf(offered).watermark}
            onChange={(event) => change(offered.name, { watermark: event.currentTarget.value })}
          >
            <option value="">none: all rows</option>
            {offered.watermark_candidates.map((column) => (
              <option key={column} value={column}>
                {column}
              </option>
            ))}
          </select>
        ),
    },
  ];
  const wanted = search.trim().toLowerCase();
  const shown = wanted === "" ? all : all.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <section class="stack" aria-label="Tables">
      <div class="toolbar">
        <input
          type="search"
          class="input search"
          placeholder="Search tables"
          aria-label="Search tables"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <span class="faint number" role="status">
          {chosen.length} of {count(all.length)} tables chosen
        </span>
      </div>
      {isNamed && (
        <AddByName
          onAdd={(name) => {
            if (!added.includes(name)) setAdded([...added, name]);
            change(name, { isChosen: true });
          }}
        />
      )}
      {all.length === 0 ? (
        <EmptyState
          title={
            isNamed
              ? "Name what to read"
              : isExport
                ? "The warehouse has no table yet"
                : "The system offers no table"
          }
        >
          {isNamed
            ? "An API does not list what it offers. Add the path of a list, such as orders."
            : isExport
              ? "Import one first."
              : "Look at the rights of the user, or at the path of the connection."}
        </EmptyState>
      ) : (
        <div class="card">
          <Table
            label="Tables of the system"
            columns={columns}
            rows={shown}
            keyOf={({ name }) => name}
            isAuto
          />
        </div>
      )}
      {save.error && <ErrorBox error={save.error} />}
      <div class="row">
        <Button onClick={onBack}>Back</Button>
        <Button
          kind="primary"
          onClick={() => void save.run()}
          isBusy={save.isRunning}
          whyNot={chosen.length === 0 ? "Choose at least one table." : undefined}
        >
          Preview
        </Button>
      </div>
    </section>
  );
}

/** Adds a dataset by its path below the URL of the connection. */
function AddByName({ onAdd }: { onAdd: (name: string) => void }): VNode {
  const [name, setName] = useState("");
  const add = (event: Event) => {
    event.preventDefault();
    if (name.trim() === "") return;
    onAdd(name.trim());
    setName("");
  };
  return (
    <form class="row" onSubmit={add}>
      <input
        class="input"
        aria-label="Path of a list"
        placeholder="orders"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit">Add</Button>
    </form>
  );
}

const named = (name: string): Offered => ({
  name,
  primary_keys: [],
  watermark_candidates: [],
  rows: null,
  columns: [],
});

/** The tables that an export can read, up to the maximum of one request. */
async function warehouseTables(environment: string, signal: AbortSignal): Promise<readonly Offered[]> {
  const { tables } = await api.readCatalog({ query: { limit: 1000 }, environment, signal });
  return tables.map(({ catalog, schema, name, rows, columns }) => ({
    name: `${catalog}.${schema}.${name}`,
    primary_keys: [],
    watermark_candidates: columns.flatMap((column) =>
      /^(TIMESTAMP|DATE)/.test(column.type) ? [column.name] : [],
    ),
    rows,
    columns,
  }));
}
