import type { ComponentType } from "react";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { Broken, Missing, Nowhere } from "./frame/elsewhere.tsx";
import { Frame } from "./frame/frame.tsx";
import { isMissingFile } from "./parts/newer-version.ts";
import { Waiting } from "./parts/waiting.tsx";
import { type Load, SCREENS_AT } from "./screens.tsx";

/** The screen of a route, or the error page if its files cannot be loaded: the router would show nothing. */
async function screenOf(load: Load): Promise<{ Component: ComponentType }> {
  try {
    return { Component: (await load()).Screen };
  } catch (error) {
    if (isMissingFile(error)) return { Component: Missing };
    throw error;
  }
}

const router = createBrowserRouter([
  {
    path: "/projects/:project",
    Component: Frame,
    ErrorBoundary: Broken,
    HydrateFallback: Waiting,
    children: [
      ...Object.entries(SCREENS_AT).map(([path, load]) => ({
        path,
        ErrorBoundary: Broken,
        lazy: () => screenOf(load),
      })),
      { path: "*", Component: Nowhere },
    ],
  },
]);

export const Routes = () => <RouterProvider router={router} />;
