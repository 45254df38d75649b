import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { Broken, Nowhere } from "./frame/elsewhere.tsx";
import { Frame } from "./frame/frame.tsx";
import { Waiting } from "./parts/waiting.tsx";
import { SCREENS_AT } from "./screens.tsx";

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
        lazy: async () => ({ Component: (await load()).Screen }),
      })),
      { path: "*", Component: Nowhere },
    ],
  },
]);

export const Routes = () => <RouterProvider router={router} />;
