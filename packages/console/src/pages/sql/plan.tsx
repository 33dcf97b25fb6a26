import type { endpoints } from "@lakehelm/contract";
import type { ClientResult } from "@lakehelm/contract/client";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { api } from "../../app/client.ts";
import { useQuery } from "../../app/queries.ts";
import { counted } from "../../format/number.ts";
import { duration } from "../../format/time.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import type { Statement } from "./statement.ts";

type Operators = NonNullable<ClientResult<typeof endpoints.planQuery>["operators"]>;

/** How the warehouse would run the text of the editor. The text is not run. */
export function Plan({ sql, environment, dialect }: Omit<Statement, "start">): VNode {
  const [planned, setPlanned] = useState(sql);
  const isEmpty = planned.trim() === "";
  const { data, error } = useQuery({
    key: ["plan", environment, dialect, planned],
    read: (signal) => api.planQuery({ body: { sql: planned, dialect }, environment, signal }),
    enabled: !isEmpty,
  });
  const again = planned !== sql && <Button onClick={() => setPlanned(sql)}>Plan the changed query</Button>;
  if (isEmpty)
    return (
      <EmptyState title="No query to plan yet" action={again || undefined}>
        Write a query above: its plan says how the warehouse would run it, without running it.
      </EmptyState>
    );
  return (
    <>
      <div class="row">
        <span class="faint number grow" role="status">
          {data && `Planned in ${duration(data.seconds * 1_000)}. Nothing was run.`}
        </span>
        {again}
      </div>
      {error && <ErrorBox error={error} />}
      {!data && !error && <Loading what="the plan" />}
      {data &&
        (data.operators ? (
          <OperatorTree operators={data.operators} />
        ) : (
          <pre class="text plan-text" tabIndex={0} aria-label="Plan">
            {data.text}
          </pre>
        ))}
    </>
  );
}

function OperatorTree({ operators }: { operators: Operators }): VNode {
  return (
    <ol class="plan" aria-label="Plan" tabIndex={0}>
      {operators.map(({ depth, name, details, estimated_rows }, at) => (
        <li key={at} style={{ paddingInlineStart: `${depth * 20}px` }}>
          <div class="row">
            <strong>{name.replaceAll("_", " ")}</strong>
            {estimated_rows !== null && (
              <span class="faint number">about {counted(Number(estimated_rows), "row")}</span>
            )}
          </div>
          {Object.entries(details).map(([key, value]) => (
            <div key={key} class="soft">
              {key}: <code>{value}</code>
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}
