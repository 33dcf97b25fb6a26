import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Dialog } from "../ui/dialog.tsx";
import { navigation } from "./pages.ts";
import { navigate } from "./router.ts";

const entries = navigation.flatMap((group) => group.entries);
/** The second key of a shortcut must follow within this time. */
const pairMs = 1_500;

/** The editor is in a shadow root: events that reach the window have the shadow host as target. */
const isTyping = (target: EventTarget | undefined) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * Shortcuts. Ctrl or Cmd with K: the palette; `?`: all shortcuts; `g` and a letter: a page; `/`: the page's search
 * field.
 */
export function useShortcuts(open: (what: "palette" | "shortcuts") => void): void {
  useEffect(() => {
    let goSince = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        open("palette");
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.composedPath()[0])) return;
      if (document.querySelector("dialog[open]")) return;
      if (performance.now() - goSince < pairMs) {
        goSince = Number.NEGATIVE_INFINITY;
        const entry = entries.find(({ key }) => key === event.key);
        if (entry) navigate(entry.path);
        return;
      }
      if (event.key === "g") goSince = performance.now();
      else if (event.key === "?") open("shortcuts");
      else if (event.key === "/") {
        const field = document.querySelector<HTMLInputElement>(".page input[type=search]");
        if (field) {
          event.preventDefault();
          field.focus();
        }
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [open]);
}

export function ShortcutHelp({ onClose }: { onClose: () => void }): VNode {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="facts">
        <dt>
          <kbd>Ctrl K</kbd>
        </dt>
        <dd>Search and jump to anything</dd>
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Search in this list</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>These shortcuts</dd>
        {entries.map(
          ({ key, title }) =>
            key && (
              <>
                <dt>
                  <kbd>g</kbd> <kbd>{key}</kbd>
                </dt>
                <dd>{title}</dd>
              </>
            ),
        )}
      </dl>
    </Dialog>
  );
}
