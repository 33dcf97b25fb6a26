import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon, Logo } from "../ui/icons.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { streamState } from "./client.ts";
import { EnvironmentMenu } from "./environment-menu.tsx";
import { resumeChanges } from "./live.ts";
import { PageView } from "./page-view.tsx";
import { navigation } from "./pages.ts";
import { Palette } from "./palette.tsx";
import { followLink, hrefOf, place } from "./router.ts";
import { hasEnded, session } from "./session.ts";
import { ShortcutHelp, useShortcuts } from "./shortcuts.tsx";
import { SignInAgain } from "./sign-in.tsx";

export function Shell(): VNode {
  const [open, setOpen] = useState<"palette" | "shortcuts" | undefined>();
  useShortcuts(setOpen);
  const name = session.value?.name;
  const ended = hasEnded.value;
  // One event stream for the whole console reports all changes.
  useEffect(() => {
    if (ended) return;
    const controller = new AbortController();
    resumeChanges(controller.signal);
    return () => controller.abort();
  }, [name, ended]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: handles clicks on the links below it, which have the keyboard.
    <div class="shell" onClick={followLink}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <aside class="sidebar" aria-label="Console">
        <a class="brand" href={hrefOf("/")}>
          <Logo />
          <span class="word">Lakehelm</span>
        </a>
        <Navigation />
        <footer>
          <a class="button quiet" href="/docs" target="_blank" rel="noreferrer">
            API reference
          </a>
        </footer>
      </aside>
      <div class="main">
        <header class="topbar">
          <button type="button" class="search" onClick={() => setOpen("palette")}>
            <Icon name="search" />
            <span class="grow">Search or jump to…</span>
            <kbd>Ctrl K</kbd>
          </button>
          <span class="grow" />
          <StreamNotice />
          <EnvironmentMenu />
          <AccountMenu />
        </header>
        <PageView />
      </div>
      {open === "palette" && <Palette onClose={() => setOpen(undefined)} />}
      {open === "shortcuts" && <ShortcutHelp onClose={() => setOpen(undefined)} />}
      <SignInAgain />
      <Toasts />
    </div>
  );
}

function Navigation(): VNode {
  const { path } = place.value;
  const isCurrent = (entry: string) =>
    entry === "/" ? path === "/" : path === entry || path.startsWith(`${entry}/`);
  return (
    <nav aria-label="Pages">
      {navigation.map(({ title, entries }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {entries.map((entry) => (
              <li key={entry.path}>
                <a
                  href={hrefOf(entry.path)}
                  aria-current={isCurrent(entry.path) ? "page" : undefined}
                  title={entry.title}
                >
                  <Icon name={entry.icon} />
                  <span class="word">{entry.title}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function StreamNotice(): VNode {
  const state = streamState.value;
  const text = state === "live" ? "Live" : state === "connecting" ? "Connecting" : "Reconnecting…";
  const tone = state === "live" ? "good" : state === "connecting" ? "" : "warn";
  const title =
    state === "live"
      ? "Changes appear as they happen."
      : "There is no connection to the server. What you see may be old.";
  return (
    <span class={`status ${tone}`} role="status" title={title}>
      {text}
    </span>
  );
}
