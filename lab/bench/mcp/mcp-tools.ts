import type { Registry, Tool } from "../../../src/surfaces/mcp/protocol/registry.ts";
import { LEADS } from "../../../src/surfaces/mcp/registry-of-leads.ts";

/** The lead that `get_lead` returns. */
const ANSWER = {
  lead: {
    id: "lead_01k3zq8c5w9t2m4n6p7r8s0v1x",
    name: "Nadia Brandt",
    email: "nadia@example.org",
    phone: "+49 30 1234567",
    phone_e164: "+49301234567",
    company: "Brandt & Söhne",
    job_title: "Head of purchasing",
    status: "contacted",
    source: "website",
    score: 71,
    tags: ["newsletter", "fair"],
    custom: { plan: "pro" },
    version: 4,
    created_at: "2026-11-02T09:14:51.104Z",
    updated_at: "2026-11-19T16:02:07.331Z",
  },
  truncated: false,
  untrusted_content: ["lead"],
};

/** What every side offers: the service's tools with their schemas; `get_lead` does no work. */
export const OFFERED: Registry = {
  ...LEADS,
  tools: LEADS.tools.map((tool) => (tool.name === "get_lead" ? { ...tool, run: async () => ANSWER } : tool)),
};

/** The same with a `get_lead` that leaves the token check to the server. */
export const CHECKED: Registry = { ...OFFERED, tools: OFFERED.tools.map(unchecking) };

function unchecking({ checksItself, ...tool }: Tool): Tool {
  return checksItself !== true || tool.name === "get_lead" ? tool : { ...tool, checksItself };
}
