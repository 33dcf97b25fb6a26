import type { VNode } from "preact";
import type { CatalogColumn, CatalogTable } from "../../data/catalog.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { annotationOf, type Draft } from "./metadata-draft.ts";
import { Tags } from "./tags.tsx";

interface ColumnsProps {
  readonly table: CatalogTable;
  readonly draft: Draft;
  readonly onEdit: (column: string) => void;
  readonly whyNot: string | undefined;
}

export function Columns({ table, draft, onEdit, whyNot }: ColumnsProps): VNode {
  const shown = (name: string) => draft.get(name) ?? annotationOf(table, name);
  const columns: readonly Column<CatalogColumn>[] = [
    { title: "Column", width: "minmax(120px, 1fr)", cell: ({ name }) => <strong>{name}</strong> },
    {
      title: "Type",
      width: "minmax(110px, 150px)",
      cell: ({ type, nullable }) => (
        <code title={nullable ? "may be NULL" : "never NULL"}>
          {type}
          {!nullable && <span class="faint"> not null</span>}
        </code>
      ),
    },
    {
      title: "Description",
      width: "minmax(130px, 2fr)",
      cell: ({ name }) => {
        const { description } = shown(name);
        return description ? <span title={description}>{description}</span> : <span class="faint">–</span>;
      },
    },
    { title: "Tags", width: "minmax(90px, 1fr)", cell: ({ name }) => <Tags tags={shown(name).tags} /> },
    {
      title: "Change",
      width: "76px",
      isPinned: true,
      cell: ({ name }) => (
        <Button kind="quiet" label={`Edit ${name}`} onClick={() => onEdit(name)} whyNot={whyNot}>
          Edit
        </Button>
      ),
    },
  ];
  return <Table label="Columns" columns={columns} rows={table.columns} keyOf={({ name }) => name} />;
}
