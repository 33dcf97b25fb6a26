import type { VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useVirtualColumns, useVirtualRows } from "../../ui/virtual.ts";
import { type Cell, isNumeric, type ResultColumn, textOf } from "./values.ts";

interface ResultGridProps {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Called when the last row comes into view. */
  readonly onEnd: () => void;
}

const rowHeight = 28;
const [leastWidth, mostWidth, letterWidth, padding] = [72, 360, 7.4, 22];
/** The number of rows whose texts determine the widths. */
const sampled = 100;

/** Shows a result of any size. Only the cells in view are rendered. */
export function ResultGrid({ columns, rows, onEnd }: ResultGridProps): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const widths = useMemo(
    () => [numberWidth, ...columns.map((column, at) => widthOf(column, at, rows))],
    [columns],
  );
  const virtualRows = useVirtualRows({ count: rows.length, rowHeight, scroller });
  const virtualColumns = useVirtualColumns(widths, scroller);
  const items = virtualRows.getVirtualItems();
  // The column with row numbers is always rendered.
  const shown = virtualColumns.getVirtualItems().filter(({ index }) => index > 0);
  const lastIndex = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastIndex >= rows.length - 1 && rows.length > 0) onEnd();
  }, [lastIndex, rows.length, onEnd]);
  useEffect(() => virtualColumns.measure(), [widths]);
  const width = virtualColumns.getTotalSize();
  const left = (shown[0]?.start ?? numberWidth) - numberWidth;
  return (
    <div class="result-grid" ref={scroller} tabIndex={0} role="region" aria-label="Result">
      <div
        role="table"
        aria-label="Result"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        style={{ width: `${width}px`, height: `${virtualRows.getTotalSize() + rowHeight}px` }}
      >
        <div class="result-row head" role="row" aria-rowindex={1} style={{ width: `${width}px` }}>
          <span role="columnheader" class="at" style={{ width: `${numberWidth}px` }}>
            <span class="visually-hidden">Row</span>
          </span>
          <span role="presentation" style={{ width: `${left}px` }} />
          {shown.map(({ index, size }) => {
            const column = columns[index - 1];
            return (
              column && (
                <span
                  key={index}
                  role="columnheader"
                  aria-colindex={index + 1}
                  class={isNumeric(column.type) ? "right" : undefined}
                  style={{ width: `${size}px` }}
                  title={`${column.name} ${column.type}`}
                >
                  {column.name} <span class="faint">{column.type.toLowerCase()}</span>
                </span>
              )
            );
          })}
        </div>
        {items.map(({ index: at, start }) => (
          <div
            key={at}
            class="result-row"
            role="row"
            aria-rowindex={at + 2}
            style={{ width: `${width}px`, transform: `translateY(${start}px)` }}
          >
            <span role="rowheader" class="at" style={{ width: `${numberWidth}px` }}>
              {at + 1}
            </span>
            <span role="presentation" style={{ width: `${left}px` }} />
            {shown.map(({ index, size }) => (
              <Value
                key={index}
                index={index}
                width={size}
                value={rows[at]?.[index - 1]}
                type={columns[index - 1]?.type ?? ""}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

const numberWidth = 56;

function Value(props: { index: number; width: number; value: Cell | undefined; type: string }): VNode {
  const { index, width, value, type } = props;
  const text = textOf(value);
  const isNull = value === null || value === undefined;
  return (
    <span
      role="cell"
      aria-colindex={index + 1}
      class={isNull ? "faint" : isNumeric(type) ? "right" : undefined}
      style={{ width: `${width}px` }}
      title={text.length > 40 ? text : undefined}
    >
      {isNull ? "null" : text}
    </span>
  );
}

function widthOf({ name, type }: ResultColumn, at: number, rows: ResultGridProps["rows"]): number {
  const longest = rows
    .slice(0, sampled)
    .reduce((most, row) => Math.max(most, textOf(row[at]).length), name.length + 1 + type.length);
  return Math.round(Math.min(mostWidth, Math.max(leastWidth, longest * letterWidth + padding)));
}
