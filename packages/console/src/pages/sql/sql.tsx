import type { VNode } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { whyNot } from "../../app/permissions.ts";
import { environmentName, navigate, place, setQuery } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import type { Editor, Selection } from "../../editor/editor.ts";
import { Button } from "../../ui/button.tsx";
import { CodeEditor } from "../../ui/code-editor.tsx";
import { Icon } from "../../ui/icons.tsx";
import { PageLayout } from "../../ui/page.tsx";
import { currentTab, Tabs } from "../../ui/tabs.tsx";
import { HistoryList } from "./history-list.tsx";
import { knownNamesOf } from "./known-names.ts";
import { Outcome } from "./outcome.tsx";
import { Plan } from "./plan.tsx";
import { problemOf } from "./problem.ts";
import { suggestNames } from "./suggest.ts";
import { useStatement } from "./use-statement.ts";

const tabs = [
  { id: "result", title: "Result" },
  { id: "chart", title: "Chart" },
  { id: "plan", title: "Plan" },
  { id: "history", title: "History" },
];
/** Some proxies truncate longer addresses. */
const mostInAddress = 4_000;
/** The text stays when the user leaves the page. */
let draft = "";

export default function SqlPage(): VNode {
  const { query } = place.value;
  const environments = (session.value?.environments ?? []).filter(({ is_active }) => is_active);
  const environment = environmentName.value ?? session.value?.default_environment ?? "";
  const dialect = query.get("dialect") === "duckdb" ? "duckdb" : "databricks";
  const fromAddress = query.get("sql");
  const [text, setText] = useState(fromAddress ?? draft);
  const { state, run, cancel, loadMore } = useStatement();
  const editor = useRef<Editor | undefined>(undefined);
  const tab = currentTab(tabs);
  // The address changes with back and forward in the browser, and with links of the history.
  useEffect(() => {
    if (fromAddress !== null) setText(fromAddress);
  }, [fromAddress]);
  useEffect(() => {
    draft = text;
  }, [text]);

  const submit = (selection: Selection | undefined) => {
    const hasSelection = selection !== undefined && selection.text.trim() !== "";
    const start = hasSelection ? selection : { line: 1, column: 1 };
    const sql = hasSelection ? selection.text : text;
    if (sql.trim() === "" || whyNotRun) return;
    const address = new URLSearchParams({ env: environment, ...(dialect === "duckdb" && { dialect }) });
    if (text.length <= mostInAddress) address.set("sql", text);
    navigate(`/sql?${address}`);
    void run({ sql, environment, dialect, start });
  };
  const whyNotRun = whyNotQuery(environment, text);
  const { error, statement } = state;
  const problems = useMemo(() => {
    const found = error && statement && problemOf(error, statement.start);
    return found ? [found] : [];
  }, [error, statement]);
  const suggest = useMemo(
    () =>
      suggestNames(knownNamesOf(environment), (name) => (dialect === "duckdb" ? `"${name}"` : `\`${name}\``)),
    [environment, dialect],
  );
  const onReady = useCallback((made: Editor | undefined) => {
    editor.current = made;
  }, []);
  return (
    <PageLayout title="SQL" isFull>
      <div class="toolbar">
        {state.isRunning ? (
          <Button kind="danger" onClick={cancel}>
            <Icon name="stop" />
            Cancel
          </Button>
        ) : (
          <Button kind="primary" whyNot={whyNotRun} onClick={() => submit(editor.current?.selection())}>
            <Icon name="play" />
            Run
          </Button>
        )}
        <select
          class="input"
          aria-label="Environment of the query"
          value={environment}
          onChange={(event) => setQuery({ env: event.currentTarget.value })}
        >
          {environments.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <select
          class="input"
          aria-label="Dialect"
          value={dialect}
          onChange={(event) => setQuery({ dialect: event.currentTarget.value })}
        >
          <option value="databricks">Databricks SQL</option>
          <option value="duckdb">DuckDB SQL</option>
        </select>
        <span class="faint">
          <kbd>Ctrl Enter</kbd> runs the selection, or all
        </span>
      </div>
      <CodeEditor
        label="Query"
        class="sql-editor"
        language="sql"
        value={text}
        onInput={setText}
        onSubmit={submit}
        problems={problems}
        suggest={suggest}
        onReady={onReady}
      />
      <Tabs label="Parts of the result" tabs={tabs} current={tab} keeps={["sql", "dialect", "x", "y"]} />
      {tab === "history" ? (
        <HistoryList />
      ) : tab === "plan" && !whyNotAsk(environment) ? (
        <Plan sql={text} environment={environment} dialect={dialect} />
      ) : (
        <Outcome state={state} loadMore={loadMore} isChart={tab === "chart"} />
      )}
    </PageLayout>
  );
}

function whyNotQuery(environment: string, text: string): string | undefined {
  if (environment !== "" && text.trim() === "") return "Write a query first.";
  return whyNotAsk(environment);
}

const whyNotAsk = (environment: string): string | undefined =>
  environment === "" ? "There is no active environment to query." : whyNot("viewer", environment);
