import type { VNode } from "preact";
import { place, setQuery } from "../../app/router.ts";
import { counted } from "../../format/number.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Cell, isNumeric, type ResultColumn, textOf } from "./values.ts";

interface ChartProps {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

const most = 300;
const [width, height, left, bottom, top] = [900, 320, 70, 44, 12];
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

/** Charts one column over another: as a line if the first is a time or a number, otherwise as bars. */
export function Chart({ columns, rows }: ChartProps): VNode {
  const { query } = place.value;
  const numeric = columns.filter(({ type }) => isNumeric(type));
  const named = (parameter: string) => columns.find(({ name }) => name === query.get(parameter));
  const y = named("y") ?? numeric.find(({ name }) => name !== columns[0]?.name) ?? numeric[0];
  const x = named("x") ?? columns.find((column) => column !== y) ?? columns[0];
  if (!x || !y || rows.length === 0)
    return (
      <EmptyState title="There is nothing to draw">
        A chart needs at least one row with a column of numbers.
      </EmptyState>
    );
  const isLine = /DATE|TIME/i.test(x.type) || isNumeric(x.type);
  const [xAt, yAt] = [columns.indexOf(x), columns.indexOf(y)];
  const points = rows.slice(0, most).flatMap((row) => {
    const value = row[yAt] === null ? Number.NaN : Number(row[yAt]);
    return Number.isFinite(value) ? [{ label: textOf(row[xAt]), value }] : [];
  });
  return (
    <figure class="result-chart">
      <div class="toolbar">
        <Choice label="Over" name="x" value={x.name} columns={columns} />
        <Choice label="Values" name="y" value={y.name} columns={numeric} />
        {rows.length > most && <span class="faint">The first {most} rows</span>}
      </div>
      <Drawing points={points} isLine={isLine} label={`${y.name} over ${x.name}`} />
    </figure>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly columns: readonly ResultColumn[];
}

function Choice({ label, name, value, columns }: ChoiceProps): VNode {
  return (
    <label class="row">
      <span class="faint">{label}</span>
      <select
        class="input"
        value={value}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      >
        {columns.map((column) => (
          <option key={column.name}>{column.name}</option>
        ))}
      </select>
    </label>
  );
}

interface DrawingProps {
  readonly points: readonly { readonly label: string; readonly value: number }[];
  readonly isLine: boolean;
  readonly label: string;
}

function Drawing({ points, isLine, label }: DrawingProps): VNode {
  const values = points.map(({ value }) => value);
  const least = Math.min(0, ...values);
  const greatest = Math.max(0, ...values);
  const range = greatest - least || 1;
  const step = (width - left) / Math.max(1, points.length);
  const xOf = (at: number) => left + step * (at + 0.5);
  const yOf = (value: number) => top + (height - top - bottom) * (1 - (value - least) / range);
  const marks = [0, 0.25, 0.5, 0.75, 1].map((part) => least + range * part);
  const every = Math.max(1, Math.ceil(points.length / 10));
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${label}, ${counted(points.length, "value")}`}
    >
      {marks.map((mark) => (
        <g key={mark}>
          <line class="grid" x1={left} x2={width} y1={yOf(mark)} y2={yOf(mark)} />
          <text x={left - 8} y={yOf(mark) + 4} text-anchor="end">
            {compact.format(mark)}
          </text>
        </g>
      ))}
      {isLine ? (
        <polyline points={points.map(({ value }, at) => `${xOf(at)},${yOf(value)}`).join(" ")} />
      ) : (
        points.map((point, at) => (
          <rect
            key={at}
            x={xOf(at) - Math.min(24, step * 0.4)}
            width={Math.min(48, step * 0.8)}
            y={Math.min(yOf(point.value), yOf(0))}
            height={Math.max(1, Math.abs(yOf(point.value) - yOf(0)))}
          >
            <title>
              {point.label}: {point.value}
            </title>
          </rect>
        ))
      )}
      {points.map(
        (point, at) =>
          at % every === 0 && (
            <text key={at} x={xOf(at)} y={height - bottom + 20} text-anchor="middle">
              {point.label.length > 12 ? `${point.label.slice(0, 11)}…` : point.label}
            </text>
          ),
      )}
    </svg>
  );
}
