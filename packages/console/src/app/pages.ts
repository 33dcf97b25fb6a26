import type { PageComponent } from "./page-props.ts";

export interface Page {
  /** Below `/console`; `:name` is a parameter. */
  readonly path: string;
  readonly title: string;
  /** Its script is loaded when the page is first shown. */
  readonly load: () => Promise<{ readonly default: PageComponent }>;
}

export interface NavigationEntry {
  readonly title: string;
  readonly path: string;
  readonly icon: string;
  /** The second key of a shortcut to the page, after `g`. */
  readonly key?: string;
}

/** Every page. The first match is shown, so `/connectors/new` is before `/connectors/:id`. */
export const pages: readonly Page[] = [
  { path: "/", title: "Home", load: () => import("../pages/home/home.tsx") },
  { path: "/connectors", title: "Connectors", load: () => import("../pages/connectors/list.tsx") },
  {
    path: "/connectors/new",
    title: "New connector",
    load: () => import("../pages/connectors/wizard/wizard.tsx"),
  },
  { path: "/connectors/:id", title: "Connector", load: () => import("../pages/connectors/detail.tsx") },
  { path: "/pipelines", title: "Pipelines", load: () => import("../pages/pipelines/list.tsx") },
  { path: "/pipelines/:id", title: "Pipeline", load: () => import("../pages/pipelines/detail.tsx") },
  { path: "/agents", title: "Agents", load: () => import("../pages/agents/list.tsx") },
  { path: "/agents/:id", title: "Agent", load: () => import("../pages/agents/detail.tsx") },
  { path: "/apps", title: "Apps", load: () => import("../pages/apps/list.tsx") },
  { path: "/apps/:id", title: "App", load: () => import("../pages/apps/detail.tsx") },
  { path: "/flows", title: "Flows", load: () => import("../pages/flows/list.tsx") },
  { path: "/flows/:id", title: "Flow", load: () => import("../pages/flows/detail.tsx") },
  { path: "/catalog", title: "Catalog", load: () => import("../pages/catalog/catalog.tsx") },
  {
    path: "/catalog/:catalog/:schema/:table",
    title: "Table",
    load: () => import("../pages/catalog/catalog.tsx"),
  },
  { path: "/runs", title: "Runs", load: () => import("../pages/runs/list.tsx") },
  { path: "/runs/:id", title: "Run", load: () => import("../pages/runs/detail.tsx") },
  { path: "/deployments", title: "Deployments", load: () => import("../pages/deployments/list.tsx") },
  { path: "/deployments/:id", title: "Deployment", load: () => import("../pages/deployments/detail.tsx") },
  { path: "/drift", title: "Drift", load: () => import("../pages/drift/list.tsx") },
  { path: "/plans", title: "Plans", load: () => import("../pages/plans/list.tsx") },
  { path: "/plans/:id", title: "Plan", load: () => import("../pages/plans/detail.tsx") },
  { path: "/environments", title: "Environments", load: () => import("../pages/environments/list.tsx") },
  { path: "/environments/:id", title: "Environment", load: () => import("../pages/environments/detail.tsx") },
  { path: "/users", title: "Users", load: () => import("../pages/users/list.tsx") },
  { path: "/tokens", title: "Tokens", load: () => import("../pages/users/tokens.tsx") },
  { path: "/secrets", title: "Secrets", load: () => import("../pages/secrets/secrets.tsx") },
  { path: "/settings", title: "Settings", load: () => import("../pages/settings/settings.tsx") },
  { path: "/events", title: "Events", load: () => import("../pages/events/list.tsx") },
  { path: "/events/:id", title: "Event", load: () => import("../pages/events/detail.tsx") },
  { path: "/automations", title: "Automations", load: () => import("../pages/automations/list.tsx") },
  { path: "/automations/:alias", title: "Automation", load: () => import("../pages/automations/detail.tsx") },
  { path: "/codegen", title: "Code generation", load: () => import("../pages/codegen/codegen.tsx") },
  { path: "/sql", title: "SQL", load: () => import("../pages/sql/sql.tsx") },
];

/** The navigation at the left, by group. */
export const navigation: readonly { readonly title: string; readonly entries: readonly NavigationEntry[] }[] =
  [
    {
      title: "Operate",
      entries: [
        { title: "Home", path: "/", icon: "home", key: "h" },
        { title: "Runs", path: "/runs", icon: "runs", key: "r" },
        { title: "Deployments", path: "/deployments", icon: "deployments", key: "d" },
        { title: "Events", path: "/events", icon: "events", key: "e" },
        { title: "Drift", path: "/drift", icon: "drift" },
        { title: "Plans", path: "/plans", icon: "plans", key: "n" },
      ],
    },
    {
      title: "Build",
      entries: [
        { title: "Connectors", path: "/connectors", icon: "connectors", key: "c" },
        { title: "Pipelines", path: "/pipelines", icon: "pipelines", key: "l" },
        { title: "Flows", path: "/flows", icon: "flows", key: "f" },
        { title: "Automations", path: "/automations", icon: "automations", key: "m" },
        { title: "Agents", path: "/agents", icon: "agents", key: "a" },
        { title: "Apps", path: "/apps", icon: "apps", key: "p" },
        { title: "Code generation", path: "/codegen", icon: "code" },
      ],
    },
    {
      title: "Explore",
      entries: [
        { title: "Catalog", path: "/catalog", icon: "catalog", key: "t" },
        { title: "SQL", path: "/sql", icon: "sql", key: "q" },
      ],
    },
    {
      title: "Administer",
      entries: [
        { title: "Environments", path: "/environments", icon: "environments" },
        { title: "Users", path: "/users", icon: "users", key: "u" },
        { title: "Tokens", path: "/tokens", icon: "tokens" },
        { title: "Secrets", path: "/secrets", icon: "secrets" },
        { title: "Settings", path: "/settings", icon: "settings" },
      ],
    },
  ];
