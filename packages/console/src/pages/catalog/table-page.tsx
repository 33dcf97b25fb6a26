import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { whyNot } from "../../app/permissions.ts";
import { hrefOf } from "../../app/router.ts";
import { type CatalogTable, fullName, type TableName, useLineage, useTable } from "../../data/catalog.ts";
import { pathOfJob } from "../../data/targets.ts";
import { counted } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Loading } from "../../ui/page.tsx";
import { Status } from "../../ui/status.tsx";
import { currentTab, Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { AlterDialog } from "./alter-dialog.tsx";
import { AnnotationDialog } from "./annotation-dialog.tsx";
import { Columns } from "./columns.tsx";
import { LineageGraph } from "./lineage-graph.tsx";
import { annotationOf, type Draft, differences } from "./metadata-draft.ts";
import { ReviewDialog } from "./review-dialog.tsx";
import { Sample } from "./sample.tsx";
import { Tags } from "./tags.tsx";
import { UndoNotice } from "./undo-notice.tsx";

const tabs = [
  { id: "columns", title: "Columns" },
  { id: "sample", title: "Sample" },
  { id: "lineage", title: "Lineage" },
];

interface TablePageProps {
  readonly environment: string;
  readonly chosen: TableName;
}

export function TablePage({ environment, chosen }: TablePageProps): VNode {
  const { data, error, refresh } = useTable(environment, chosen);
  const [table] = data?.tables ?? [];
  if (table) return <Loaded environment={environment} table={table} />;
  if (error) return <ErrorBox error={error} retry={refresh} />;
  if (!data) return <Loading what="the table" />;
  return (
    <EmptyState title="There is no such table">
      It may have been dropped, or it is in another environment than {environment}.
    </EmptyState>
  );
}

function Loaded({ environment, table }: { environment: string; table: CatalogTable }): VNode {
  const [draft, setDraft] = useState<Draft>(new Map());
  /** The part that is being edited. The empty string means the table. */
  const [edited, setEdited] = useState<string | undefined>();
  const [isReview, setReview] = useState(false);
  const [isAlter, setAlter] = useState(false);
  const lineage = useLineage(environment, fullName(table));
  const tab = currentTab(tabs);
  const why = whyNot("operator", environment);
  const changes = differences(table, draft).length;
  const own = draft.get("") ?? annotationOf(table, "");
  return (
    <>
      <div class="row top wrap">
        <div class="grow stack tight">
          <p>{own.description || <span class="faint">No description</span>}</p>
          <Tags tags={own.tags} />
        </div>
        <Button onClick={() => setEdited("")} whyNot={why}>
          Edit description and tags
        </Button>
        {table.kind === "table" && (
          <Button onClick={() => setAlter(true)} whyNot={why}>
            Alter
          </Button>
        )}
      </div>
      <Facts table={table} lineage={lineage.data} />
      {changes > 0 && (
        <div class="note warn row" role="status">
          <span class="grow">{counted(changes, "change")} not applied yet.</span>
          <Button kind="quiet" onClick={() => setDraft(new Map())}>
            Discard
          </Button>
          <Button kind="primary" onClick={() => setReview(true)} whyNot={why}>
            Review
          </Button>
        </div>
      )}
      <UndoNotice environment={environment} table={table} whyNot={why} />
      <Tabs label="Parts of the table" tabs={tabs} current={tab} keeps={["search"]} />
      {tab === "columns" && <Columns table={table} draft={draft} onEdit={setEdited} whyNot={why} />}
      {tab === "sample" && <Sample environment={environment} table={table} />}
      {tab === "lineage" && <LineageGraph lineage={lineage} />}
      {edited !== undefined && (
        <AnnotationDialog
          title={edited === "" ? table.name : edited}
          value={draft.get(edited) ?? annotationOf(table, edited)}
          onSave={(value) => setDraft(new Map(draft).set(edited, value))}
          onClose={() => setEdited(undefined)}
        />
      )}
      {isAlter && <AlterDialog environment={environment} table={table} onClose={() => setAlter(false)} />}
      {isReview && (
        <ReviewDialog
          environment={environment}
          table={table}
          draft={draft}
          onApplied={() => setDraft(new Map())}
          onClose={() => setReview(false)}
        />
      )}
    </>
  );
}

function Facts({
  table,
  lineage,
}: {
  table: CatalogTable;
  lineage: ReturnType<typeof useLineage>["data"];
}): VNode {
  const { freshness } = lineage ?? {};
  const path = freshness && pathOfJob(freshness.job_id);
  return (
    <div class="row wrap soft">
      <span>{table.kind}</span>·<span>{counted(table.columns.length, "column")}</span>
      {table.rows !== null && (
        <>
          ·<span class="number">{counted(table.rows, "row")}</span>
        </>
      )}
      {freshness && (
        <>
          ·
          <span class="row">
            written by the {freshness.job_kind}
            {path ? <a href={hrefOf(path)}>{freshness.job_name}</a> : freshness.job_name}
          </span>
          ·
          <span>
            {freshness.changed_at ? (
              <>
                changed <Time at={freshness.changed_at} />
              </>
            ) : (
              "never filled"
            )}
          </span>
          {freshness.is_late && <Status value="late" />}
        </>
      )}
      {lineage && !freshness && (
        <>
          ·<span>no job writes it</span>
        </>
      )}
    </div>
  );
}
