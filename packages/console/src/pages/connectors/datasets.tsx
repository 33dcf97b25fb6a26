import type { Connector, ConnectorDataset } from "@lakehelm/contract";
import type { VNode } from "preact";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { keysOf, strategyOf } from "./dataset-texts.ts";

const columns: readonly Column<ConnectorDataset>[] = [
  { title: "Reads", width: "minmax(130px, 1fr)", cell: ({ source_dataset }) => source_dataset },
  { title: "Writes", width: "minmax(130px, 1fr)", cell: ({ target_name }) => target_name },
  { title: "Strategy", width: "130px", cell: strategyOf },
  { title: "Keys", width: "140px", cell: keysOf },
  {
    title: "Watermark",
    width: "minmax(240px, 1.4fr)",
    cell: ({ current_watermark, current_watermark_time: time }) =>
      current_watermark === null ? (
        <span class="faint">none</span>
      ) : (
        <>
          {current_watermark}{" "}
          <span class="faint">
            (<Time at={time} />)
          </span>
        </>
      ),
  },
  {
    title: "Warnings",
    width: "minmax(100px, 1fr)",
    cell: ({ warnings = [] }) => <span title={warnings.join("\n")}>{warnings.join(" ")}</span>,
  },
];

export function Datasets({ connector: { datasets } }: { connector: Connector }): VNode {
  if (!datasets || datasets.length === 0) {
    return (
      <EmptyState title="It moves no table yet">Add a dataset to say what it reads and writes.</EmptyState>
    );
  }
  return <Table label="Tables" columns={columns} rows={datasets} keyOf={({ id }) => id} />;
}
