import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Modal } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { type ActionEntry, findActions } from "./find-actions.ts";
import { type Finding, findResources } from "./find-resources.ts";
import { navigation } from "./pages.ts";
import { environmentName, navigate, setQuery } from "./router.ts";
import { session, signOut } from "./session.ts";
import { setTheme, theme } from "./theme.ts";

/** The length of a pause in typing after which the search starts. */
const typingMs = 150;

/** Finds pages, actions, environments and resources by their names. */
export function Palette({ onClose }: { onClose: () => void }): VNode {
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly Finding[]>([]);
  const [actions, setActions] = useState<readonly ActionEntry[]>([]);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (entry: ActionEntry) =>
    words.every((word) => `${entry.text} ${entry.note}`.toLowerCase().includes(word));
  const entries: readonly ActionEntry[] = [
    ...actions,
    ...found.map(({ name, kind, path }) => ({
      text: name,
      note: kind,
      icon: "open",
      choose: () => navigate(path),
    })),
    ...commands().filter(fits),
  ];
  const chosen = Math.min(at, entries.length - 1);

  useEffect(() => {
    setAt(0);
    const wanted = text.trim();
    setActions([]);
    if (wanted.length < 2) return setFound([]);
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      void findActions(wanted, environmentName.value, controller.signal).then((results) => {
        if (!controller.signal.aborted) setActions(results);
      });
      const results = await findResources(wanted, environmentName.value, controller.signal);
      if (!controller.signal.aborted) setFound(results);
    }, typingMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const choose = (entry: ActionEntry | undefined) => {
    if (!entry) return;
    onClose();
    entry.choose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((chosen + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(entries[chosen]);
    }
  };

  return (
    <Modal class="palette" label="Search and jump" onClose={onClose}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries.length > 0 ? `palette-${chosen}` : undefined}
        aria-label="Search pages, actions and resources"
        placeholder="Search, or: run orders, retry orders, stop desk"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-list" ref={list} role="listbox" aria-label="Results">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and the keys.
          <li
            key={`${entry.note} ${entry.text} ${index}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => choose(entry)}
          >
            <Icon name={entry.icon} />
            <span class="grow clip">{entry.text}</span>
            <span class="faint">{entry.note}</span>
          </li>
        ))}
        {entries.length === 0 && (
          <li role="option" aria-selected="false" aria-disabled="true">
            Nothing found.
          </li>
        )}
      </ul>
    </Modal>
  );
}

function commands(): ActionEntry[] {
  const next = theme.value === "dark" ? "light" : "dark";
  return [
    ...navigation.flatMap(({ entries }) =>
      entries.map(({ title, path, icon }) => ({
        text: title,
        note: "Page",
        icon,
        choose: () => navigate(path),
      })),
    ),
    ...(session.value?.environments ?? []).map(({ name }) => ({
      text: `Show only ${name}`,
      note: "Environment",
      icon: "environments",
      choose: () => setQuery({ env: name }),
    })),
    {
      text: "Show all environments",
      note: "Environment",
      icon: "environments",
      choose: () => setQuery({ env: undefined }),
    },
    {
      text: "New connector",
      note: "Action",
      icon: "plus",
      choose: () => navigate("/connectors/new"),
    },
    { text: `Use the ${next} theme`, note: "Action", icon: "theme", choose: () => setTheme(next) },
    { text: "Sign out", note: "Action", icon: "exit", choose: signOut },
  ];
}
