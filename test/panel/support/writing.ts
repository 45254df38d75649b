import type { Page } from "playwright-core";
import type { PanelWorld } from "./panel.ts";

/** The service cannot be reached for writes whose URL has this text; returns a function that ends it. */
export async function away(page: Page, url: string): Promise<() => Promise<void>> {
  const writes = (address: URL) => address.pathname.includes(url);
  await page.route(writes, (route) =>
    route.request().method() === "GET" ? route.continue() : route.abort("connectionrefused"),
  );
  return () => page.unroute(writes);
}

/** A new editor of the project. */
export async function editorIn(the: PanelWorld) {
  const editor = await the.newPerson("Edda");
  await the.join(editor, the.project.id, "editor");
  return editor;
}
