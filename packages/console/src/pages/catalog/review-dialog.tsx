import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import { useAction, useQuery } from "../../app/queries.ts";
import { type CatalogTable, refreshCatalog } from "../../data/catalog.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Loading } from "../../ui/page.tsx";
import { notify } from "../../ui/toasts.tsx";
import { changeOf, type Difference, type Draft, differences } from "./metadata-draft.ts";
import { keepUndo } from "./undo-notice.tsx";

interface ReviewDialogProps {
  readonly environment: string;
  readonly table: CatalogTable;
  readonly draft: Draft;
  readonly onApplied: () => void;
  readonly onClose: () => void;
}

/** Shows the changes, the SQL for them, and the SQL that undoes them. */
export function ReviewDialog({ environment, table, draft, onApplied, onClose }: ReviewDialogProps): VNode {
  const body = changeOf(table, draft);
  const generated = useQuery({
    key: ["alter-metadata", environment, body],
    read: (signal) => api.generateAlterMetadata({ body, environment, signal }),
  });
  const scriptOf = (name: string) =>
    generated.data?.artifacts.find(({ path }) => path.endsWith(`/${name}`))?.content;
  const alter = scriptOf("alter.sql");
  const undo = scriptOf("undo.sql");
  const apply = useAction(async () => {
    if (alter === undefined) return;
    await api.changeMetadata({ body: { artifact: alter }, environment });
    keepUndo(environment, table, undo);
    refreshCatalog();
    notify(`The descriptions and tags of ${table.name} are changed.`);
    onApplied();
    onClose();
  });
  return (
    <FormDialog
      title={`Review the change of ${table.name}`}
      onClose={onClose}
      action={apply}
      submit="Apply"
      whyNot={alter === undefined ? "There is no SQL to apply." : undefined}
    >
      <ul class="differences" aria-label="Changes">
        {differences(table, draft).map((one) => (
          <DifferenceItem key={`${one.part} ${one.what}`} {...one} table={table.name} />
        ))}
      </ul>
      {generated.isLoading && <Loading what="the SQL" />}
      {generated.error && <ErrorBox error={generated.error} retry={generated.refresh} />}
      {generated.data && generated.data.errors.length > 0 && (
        <div class="error-box" role="alert">
          {generated.data.errors.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
      {alter !== undefined && <Script title="Statements" text={alter} />}
      {undo !== undefined && <Script title="To undo it" text={undo} />}
    </FormDialog>
  );
}

function DifferenceItem({ part, what, before, after, table }: Difference & { table: string }): VNode {
  return (
    <li>
      <strong>{part || table}</strong> <span class="faint">{what}</span>
      <div>
        {before !== undefined && <del>{before || "set"}</del>}{" "}
        {after !== undefined && <ins>{after || "set"}</ins>}
        {after === undefined && <span class="faint">removed</span>}
      </div>
    </li>
  );
}

const Script = ({ title, text }: { title: string; text: string }): VNode => (
  <details open={title === "Statements"}>
    <summary>{title}</summary>
    <pre class="text" tabIndex={0}>
      {text}
    </pre>
  </details>
);
