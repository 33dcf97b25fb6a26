import type { VNode } from "preact";
import { useAction } from "../../app/queries.ts";
import { count } from "../../format/number.ts";
import { ErrorBox } from "../../ui/error-box.tsx";
import { Menu } from "../../ui/menu.tsx";
import { pageRows, saveArrow, saveCsv, saveJson, saveParquet } from "./download.ts";
import type { Statement } from "./statement.ts";

const never = new AbortController().signal;

interface DownloadMenuProps {
  readonly statement: Statement;
  /** The number of all rows; undefined: unknown, and more than are shown. */
  readonly total: number | undefined;
}

/** Runs the statement again and saves its rows. */
export function DownloadMenu({ statement, total }: DownloadMenuProps): VNode {
  const isWhole = total !== undefined && total <= pageRows;
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
          {
            text: "Arrow",
            note: isWhole ? "all rows" : `the first ${count(pageRows)} rows; CSV and JSON have all`,
            onChoose: () => void save.run(saveArrow),
          },
          { text: "Parquet", note: "all rows", onChoose: () => void save.run(saveParquet) },
        ]}
      />
    </>
  );
}
