import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useVirtualRows } from "./virtual.ts";

export interface Column<T> {
  readonly title: string;
  /** A track size of CSS grid: `200px`, `minmax(160px, 1fr)`. */
  readonly width: string;
  readonly cell: (row: T) => ComponentChildren;
  readonly isRight?: boolean;
  /** A column with buttons stays in view when the table is wider than its container. */
  readonly isPinned?: boolean;
}

const classOf = ({ isRight, isPinned }: Pick<Column<unknown>, "isRight" | "isPinned">) =>
  isRight ? "right" : isPinned ? "pinned" : undefined;

interface TableProps<T> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Called when the end of the list comes into view. */
  readonly onEnd?: (() => void) | undefined;
  /** The table is as high as its rows, up to a limit; otherwise it fills the page. */
  readonly isAuto?: boolean;
}

const rowHeight = 35;

/** On hover, shows the full text of a cell that is too narrow for it. */
function sayWhole({ target }: MouseEvent): void {
  const cell = (target as Element).closest<HTMLElement>("[role=cell]");
  if (cell?.title !== "" || cell.scrollWidth <= cell.clientWidth) return;
  if (!cell.querySelector("[title], button")) cell.title = cell.textContent;
}

/** Removes the tooltip, because the cell's text may change. */
function forgetWhole({ target }: MouseEvent): void {
  (target as Element).closest("[role=cell][title]")?.removeAttribute("title");
}

/** A table of any length. Only the rows in view are rendered. */
export function Table<T>({ label, columns, rows, keyOf, onEnd, isAuto }: TableProps<T>): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualRows({ count: rows.length, rowHeight, scroller });
  const items = virtual.getVirtualItems();
  const first = items[0]?.start ?? 0;
  const last = items.at(-1);
  const below = virtual.getTotalSize() - (last?.end ?? 0);
  const isAtEnd = last !== undefined && last.index >= rows.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);
  const template = columns.map(({ width }) => width).join(" ");
  return (
    <div
      class={isAuto ? "table-box auto" : "table-box"}
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <div
        class="table"
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        style={{ gridTemplateColumns: template }}
        onPointerOver={sayWhole}
        onPointerOut={forgetWhole}
      >
        <div class="table-row head" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <span key={column.title} role="columnheader" class={classOf(column)}>
              {column.title}
            </span>
          ))}
        </div>
        {first > 0 && <div class="table-space" role="presentation" style={{ height: `${first}px` }} />}
        {items.map(({ index }) => {
          const row = rows[index] as T;
          return (
            <div key={keyOf(row)} class="table-row link" role="row" aria-rowindex={index + 2}>
              {columns.map((column) => (
                <span key={column.title} role="cell" class={classOf(column)}>
                  {column.cell(row)}
                </span>
              ))}
            </div>
          );
        })}
        {below > 0 && <div class="table-space" role="presentation" style={{ height: `${below}px` }} />}
      </div>
    </div>
  );
}
