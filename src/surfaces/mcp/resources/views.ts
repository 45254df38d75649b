import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Service } from "../../../domain/operation/service/service.ts";
import { checkCaller } from "../protocol/allowed.ts";
import { VIEW_TYPE } from "../protocol/extensions.ts";
import type { Resource } from "../protocol/registry.ts";
import { CODE, RpcError } from "../protocol/rpc-error.ts";
import { VIEWS } from "../tools/shared/views.ts";

/** The host frames a view and lets it request nothing (McpUiResourceMeta): its script and style are in the document. */
const META = { ui: { csp: {}, prefersBorder: true } };

interface Shown {
  title: string;
  description: string;
  needs: Resource["needs"];
}

/** Returns a view, which the panel's build made: one HTML document of at most 60,000 bytes. */
const view = (name: keyof typeof VIEWS, { title, description, needs }: Shown): Resource => ({
  uri: VIEWS[name],
  name,
  title,
  description,
  mimeType: VIEW_TYPE,
  needs,
  unlisted: true,
  // Applications that only propose changes read it, too.
  checksItself: true,
  async read(call) {
    await checkCaller(call, { needs });
    return { text: await built(call.service, name), _meta: META };
  },
});

async function built({ config }: Pick<Service, "config">, name: string): Promise<string> {
  try {
    return await readFile(join(config.panelDir, "views", `${name}.html`), "utf8");
  } catch (cause) {
    if ((cause as { code?: string }).code !== "ENOENT") throw cause;
    const message = "The views are not built yet. Run npm run build, then read this resource again.";
    throw new RpcError(CODE.internal, message, { status: 200, data: { code: "views_not_built" } });
  }
}

export const VIEW_RESOURCES: readonly Resource[] = [
  view("results", {
    title: "Results",
    description: "Shows leads, figures, duplicates and rows as a table or a chart.",
    needs: "leads:read",
  }),
  view("lead", {
    title: "Lead",
    description: "Shows a lead with its newest events.",
    needs: "leads:read",
  }),
  view("change", {
    title: "Change",
    description: "Shows what a change did or would do, and opens the page where the user approves it.",
    needs: "leads:write",
  }),
];
