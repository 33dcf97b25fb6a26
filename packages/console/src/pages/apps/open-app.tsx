import type { App } from "@lakehelm/contract";
import type { VNode } from "preact";
import { api } from "../../app/client.ts";
import { useAction } from "../../app/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { notify } from "../../ui/toasts.tsx";

/** Opens the app in a new tab, with a ticket that works once. */
export function OpenApp({ app }: { app: App }): VNode {
  const open = useAction(async () => {
    // Browsers allow a new tab only during the click, so it is opened before its address is known.
    const tab = window.open("about:blank", "_blank");
    try {
      const url = app.url ?? (await api.createTicket({ params: { app_id: app.id } })).url;
      if (!tab) throw new Error("The browser has blocked the new tab. Allow pop-ups of this page.");
      tab.opener = null;
      tab.location.replace(url);
    } catch (error) {
      tab?.close();
      notify(error instanceof Error ? error.message : String(error), true);
    }
  });
  return (
    <Button
      label={`Open ${app.name}`}
      onClick={() => void open.run()}
      isBusy={open.isRunning}
      whyNot={app.observed_state === "running" ? undefined : "It does not run."}
    >
      <Icon name="open" />
      Open
    </Button>
  );
}
