import type { ComponentType } from "react";
import type { ScreenAddress } from "../../src/core/panel.ts";

/** Imports a module that exports a `Screen`, when a user first opens it. */
export type Load = () => Promise<{ Screen: ComponentType }>;

/** The panel's screens by path. To add one, add its path in src/core/panel.ts; the compiler then requires it here. */
export const SCREENS_AT: Record<ScreenAddress, Load> = {
  dashboard: () => import("./dashboard/dashboard-screen.tsx"),
  leads: () => import("./leads/leads-screen.tsx"),
  board: () => import("./board/board-screen.tsx"),
  "settings/fields": () => import("./fields/fields-screen.tsx"),
  "settings/usage": () => import("./usage/usage-screen.tsx"),
  "settings/statuses": () => import("./statuses/statuses-screen.tsx"),
  "leads/:lead": () => import("./lead/lead-screen.tsx"),
  duplicates: () => import("./duplicates/duplicates-screen.tsx"),
  history: () => import("./history/history-screen.tsx"),
  "history/:change": () => import("./history/change-screen.tsx"),
  imports: () => import("./imports/list/imports-screen.tsx"),
  "imports/:import": () => import("./imports/import-screen.tsx"),
  exports: () => import("./exports/exports-screen.tsx"),
  datasets: () => import("./datasets/list/datasets-screen.tsx"),
  "datasets/:dataset": () => import("./datasets/dataset-screen.tsx"),
};
