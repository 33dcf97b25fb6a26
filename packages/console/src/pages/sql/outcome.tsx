import type { VNode } from "preact";
import { useEffect, useReducer } from "preact/hooks";
import { count, counted } from "../../format/number.ts";
import { duration } from "../../format/time.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Chart } from "./chart.tsx";
import { DownloadMenu } from "./download-menu.tsx";
import { ResultGrid } from "./result-grid.tsx";
import type { StatementState } from "./use-statement.ts";

interface OutcomeProps {
  readonly state: StatementState;
  readonly loadMore: () => void;
  readonly isChart: boolean;
}

/** The rows of the statement, its error, or its time so far. */
export function Outcome({ state, loadMore, isChart }: OutcomeProps): VNode {
  const { result, error, isRunning, isCancelled, startedAt, statement } = state;
  if (isRunning) return <Running startedAt={startedAt} />;
  if (error && !result) return <ErrorBox error={error} />;
  if (isCancelled) return <EmptyState title="Cancelled">The server has stopped the query.</EmptyState>;
  if (!result)
    return (
      <EmptyState title="Ask the warehouse">
        Write a query above. Names of tables and columns are completed as you type.
      </EmptyState>
    );
  const { columns, rows, more, seconds } = result;
  return (
    <>
      {error && <ErrorBox error={error} />}
      <div class="row">
        <span class="faint number grow" role="status">
          {more ? `The first ${count(rows.length)} rows` : counted(rows.length, "row")} ·{" "}
          {counted(columns.length, "column")} · {duration(seconds * 1_000)}
        </span>
        {statement && <DownloadMenu statement={statement} total={more ? undefined : rows.length} />}
      </div>
      {isChart ? (
        <Chart columns={columns} rows={rows} />
      ) : (
        <ResultGrid columns={columns} rows={rows} onEnd={loadMore} />
      )}
    </>
  );
}

function Running({ startedAt }: { startedAt: number }): VNode {
  const [, tick] = useReducer((at: number) => at + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => tick(undefined), 200);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="loading">
      <span role="status">Running…</span> <span class="number">{duration(Date.now() - startedAt)}</span>
    </p>
  );
}
