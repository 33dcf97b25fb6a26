import type { VNode } from "preact";

/** Paths on a grid of 16, drawn as lines. */
const paths: Readonly<Record<string, string>> = {
  home: "M2.5 7.5 8 3l5.5 4.5V13h-4V9.5h-3V13h-4z",
  runs: "M3 3.5h10M3 8h10M3 12.5h6M11.5 11l2.5 1.5-2.5 1.5z",
  connectors: "M5 3v3M11 3v3M3.5 6h9v2a4.5 4.5 0 0 1-9 0zM8 12.5V14",
  pipelines: "M2.5 4h3v3h-3zM10.5 2.5h3v3h-3zM10.5 10.5h3v3h-3zM5.5 5.5h2.5v6.5h2.5M8 4h2.5",
  flows: "M2.5 5c3-3 4 3 7 0M2.5 11c3-3 4 3 7 0M11 3.5 13.5 5 11 6.5M11 9.5l2.5 1.5-2.5 1.5",
  automations:
    "M8 2.5v2M8 11.5v2M2.5 8h2M11.5 8h2M4.5 4.5l1 1M10.5 10.5l1 1M4.5 11.5l1-1M10.5 5.5l1-1M6 8a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  catalog: "M3 4c0-2 10-2 10 0v8c0 2-10 2-10 0zM3 4c0 2 10 2 10 0M3 8c0 2 10 2 10 0",
  sql: "M2.5 3h11v10h-11zM5 6.5 7 8 5 9.5M8.5 10h2.5",
  code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5M9 3.5l-2 9",
  agents: "M3.5 5.5h9v7h-9zM8 3v2.5M6 8.5v1M10 8.5v1M2 8v2M14 8v2",
  apps: "M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
  deployments: "M8 13V4M4.5 7 8 3.5 11.5 7M3 13.5h10",
  events: "M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3",
  drift: "M2.5 5.5h6.5M7 3l2.5 2.5L7 8M13.5 10.5H7M9 8l-2.5 2.5L9 13",
  plans: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01",
  tokens: "M9.5 6.5a3 3 0 1 1-1.2-2.4M8.4 7.6 13 12.2V14h-1.8v-1.6H9.6v-1.6",
  environments: "M8 2.5 13.5 5.5 8 8.5 2.5 5.5zM2.5 8.5 8 11.5l5.5-3M2.5 11 8 14l5.5-3",
  users: "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c0-5 10-5 10 0",
  secrets: "M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
  settings: "M2.5 4.5h7M12 4.5h1.5M2.5 11.5H4M6.5 11.5h7M9.5 3v3M6.5 10v3",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5l3 3",
  down: "M4.5 6.5 8 10l3.5-3.5",
  right: "M6.5 4.5 10 8l-3.5 3.5",
  check: "M3.5 8.5 6.5 11.5 12.5 4.5",
  open: "M6 3.5H3.5v9h9V10M9 3.5h3.5V7M12.5 3.5 7 9",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
  play: "M5 3.5v9l7.5-4.5z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  stop: "M4 4h8v8H4z",
  retry: "M12.5 8A4.5 4.5 0 1 1 11 4.5M11 2v3H8",
  download: "M8 3v7M5 7.5 8 10.5l3-3M3 13h10",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  exit: "M6.5 3H3v10h3.5M9 5l3 3-3 3M6 8h6",
};

export function Icon({ name }: { name: string }): VNode {
  return (
    <svg
      viewBox="0 0 16 16"
      width="15"
      height="15"
      fill="none"
      stroke="currentColor"
      stroke-width="1.4"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name] ?? "M8 8h.01"} />
    </svg>
  );
}

export function Logo(): VNode {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0f766e" />
      <path
        d="M7 20c3-3 6-3 9 0s6 3 9 0M7 13c3-3 6-3 9 0s6 3 9 0"
        fill="none"
        stroke="#fff"
        stroke-width="2.6"
        stroke-linecap="round"
      />
    </svg>
  );
}
