import { keeper, make } from "../../../datasets/support/dataset.ts";
import type { World } from "../../../world.ts";
import { Assistant, answerOf, type ToolResult } from "../../support/assistant.ts";

/** A call of a tool, as a host hands it to a view. */
export interface Told {
  tool: string;
  args: Record<string, unknown>;
  result: ToolResult;
}

const NAMES = ["Ana Souza", "Bruno Lima", "Carla Dias", "Davi Rocha", "Elisa Prado", "Fábio Nunes"];
const COMPANIES = ["Acme Ltda", "Borges & Filhos", "Cia. do Café"];
const STATUSES = ["new", "contacted", "qualified", "won", "lost"];
const SOURCES = ["website", "referral", "fair"];

/** Leads of three months, a fourth of them without a value. */
const LEADS = Array.from({ length: 30 }, (_, i) => ({
  name: `${NAMES[i % 6]} ${i + 1}`,
  email: `lead${i + 1}@example.com`,
  company: COMPANIES[i % 3],
  status: STATUSES[i % 5],
  source: SOURCES[i % 3],
  tags: i % 2 === 0 ? ["vip", "newsletter"] : [],
  created_at: `2026-0${(i % 3) + 7}-15T12:00:00Z`,
  ...(i % 4 === 0 ? {} : { value: 1_000 * (i + 1), currency: "BRL" }),
}));

/** A lead with a bit of everything, and one that may be the same person. */
const RICH = {
  ...{ name: "Beatriz Almeida", company: "Acme Ltda", job_title: "Head of Purchasing", status: "qualified" },
  ...{
    email: "bia@example.com",
    phone: "+55 11 98765-4321",
    website: "https://acme.example",
    city: "Recife",
  },
  ...{ score: 82, value: 125_000, currency: "BRL", source: "fair", campaign: "Spring", tags: ["vip"] },
  ...{ do_not_contact: true, created_at: "2026-09-20T12:00:00Z" },
  first_touch: "2026-01-10T12:00:00Z",
};
const TWIN = {
  ...{ name: "Beatriz Almeida", company: "Acme Ltda", email: "beatriz@example.com", city: "Olinda" },
  ...{ first_touch: "2026-09-01T12:00:00Z", created_at: "2026-11-20T12:00:00Z" },
  ...{ value: 70, currency: "EUR" },
};

/** A project with leads and a dataset, an application that may change them, and one that asks before each change. */
export async function planted(the: World): Promise<{ free: Assistant; asking: Assistant }> {
  const free = await Assistant.authorized(the);
  const asking = await Assistant.authorized(the, { asks: true });
  await free.call("write_leads", { action: "create", leads: [...LEADS, RICH, TWIN] });
  const key = await keeper(the);
  const columns = [
    { key: "product", type: "text" },
    { key: "price", type: "number" },
    { key: "sold_on", type: "date" },
  ];
  await make(key, { key: "orders", name: "Orders", columns });
  const rows = ["Chair", "Table", "Lamp"].map((product, i) => ({
    ...{ product, price: 99.5 * (i + 1), sold_on: `2026-07-0${i + 1}` },
  }));
  await free.call("write_dataset", { dataset: "orders", rows });
  return { free, asking };
}

/** Returns what a tool answers, also if it fails. */
export async function told(
  assistant: Assistant,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<Told> {
  const { result } = await answerOf(await assistant.ask("tools/call", { name: tool, arguments: args }));
  return { tool, args, result: result as unknown as ToolResult };
}
