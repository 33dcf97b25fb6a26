import type { Flow } from "@lakehelm/contract";
import type { VNode } from "preact";
import { type Column, Table } from "../../ui/table.tsx";

type TargetColumn = Flow["definition"]["target_schema"]["columns"][number];

const columns: readonly Column<TargetColumn>[] = [
  { title: "Column", width: "minmax(160px, 1fr)", cell: ({ name }) => <strong>{name}</strong> },
  { title: "Type", width: "minmax(120px, 160px)", cell: ({ type }) => <code>{type}</code> },
  {
    title: "Rules",
    width: "minmax(140px, 1fr)",
    cell: ({ pk, not_null, pii }) => (
      <span class="soft">
        {[pk && "key", not_null && "not null", pii && "personal data"].filter(Boolean).join(", ")}
      </span>
    ),
  },
  {
    title: "Description",
    width: "minmax(200px, 2fr)",
    cell: ({ description }) => description || <span class="faint">–</span>,
  },
];

/** The columns of the published table. */
export const TargetColumns = ({ flow }: { flow: Flow }): VNode => (
  <Table
    label="Columns"
    columns={columns}
    rows={flow.definition.target_schema.columns}
    keyOf={({ name }) => name}
  />
);
