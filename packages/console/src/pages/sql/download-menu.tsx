import type { VNode } from "preact";
import { useAction } from "../../app/queries.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Menu } from "../../ui/menu.tsx";
import { saveArrow, saveCsv, saveJson, saveParquet } from "./download.ts";
import type { Statement } from "./statement.ts";

const never = new AbortController().signal;

/** Runs the statement again and saves what it returns. */
export function DownloadMenu({ statement }: { statement: Statement }): VNode {
  const save = useAction((write: typeof saveCsv) => write(statement, never));
  return (
    <>
      {save.error && <ErrorBox error={save.error} />}
      <Menu
        kind="plain"
        label={save.isRunning ? "Downloading…" : "Download"}
        items={[
          { text: "CSV", note: "all rows", onChoose: () => void save.run(saveCsv) },
          { text: "JSON", note: "all rows", onChoose: () => void save.run(saveJson) },
          { text: "Arrow", note: "the first 10,000 rows", onChoose: () => void save.run(saveArrow) },
          { text: "Parquet", note: "all rows", onChoose: () => void save.run(saveParquet) },
        ]}
      />
    </>
  );
}
