import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import { useAction } from "../../app/queries.ts";
import { type CatalogTable, refreshCatalog } from "../../data/catalog.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorBox } from "../../ui/error-box.tsx";
import { notify } from "../../ui/toasts.tsx";

/** The script that undoes the last change of each table. Kept while the page is open. */
const undos = signal<ReadonlyMap<string, string>>(new Map());

const keyOf = (environment: string, { catalog, schema, name }: CatalogTable) =>
  JSON.stringify([environment, catalog, schema, name]);

export function keepUndo(environment: string, table: CatalogTable, script: string | undefined): void {
  const next = new Map(undos.value);
  if (script === undefined) next.delete(keyOf(environment, table));
  else next.set(keyOf(environment, table), script);
  undos.value = next;
}

interface UndoNoticeProps {
  readonly environment: string;
  readonly table: CatalogTable;
  readonly whyNot: string | undefined;
}

/** Offers to undo the last change. */
export function UndoNotice({ environment, table, whyNot }: UndoNoticeProps): VNode | null {
  const script = undos.value.get(keyOf(environment, table));
  const undo = useAction(async () => {
    if (script === undefined) return;
    await api.changeMetadata({ body: { artifact: script }, environment });
    keepUndo(environment, table, undefined);
    refreshCatalog();
    notify(`The change of ${table.name} is undone.`);
  });
  if (script === undefined) return null;
  return (
    <>
      <div class="note good row" role="status">
        <span class="grow">The change is applied.</span>
        <Button onClick={() => void undo.run()} isBusy={undo.isRunning} whyNot={whyNot}>
          Undo
        </Button>
      </div>
      {undo.error && <ErrorBox error={undo.error} />}
    </>
  );
}
