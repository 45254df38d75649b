import type { World } from "../../world.ts";
import { CALLS, REFERENCES } from "./endpoint-calls.ts";
import { textOf } from "./text-of.ts";
import { filled } from "./two-projects.ts";
import { bodyOf } from "./v1.ts";

const VARIETY = [
  { filter: { event: { type: "call.*", occurred: { op: "in_last", value: { n: 1, unit: "year" } } } } },
  { filter: { event: { type: "call.made", count: { op: "eq", value: 0 } } } },
  { filter: { event: { pick: "last", where: { field: "data.x", op: "gt", value: 1 } } } },
  { search: "ana souza", sort: [{ field: "score", dir: "desc" }], total: "exact" },
  {
    filter: {
      or: [
        { field: "tags", op: "has_any", value: ["a"] },
        { field: "phone", op: "eq", value: "+5511912345678" },
      ],
    },
  },
  { filter: { not: { field: "email", op: "domain_in", value: ["example.org"] } }, total: "bounded" },
];

/** Calls every endpoint of the leads API in a project with something of each kind, and queries of many forms. */
export async function tour(the: World): Promise<void> {
  const { ids, key } = await filled(the, "alder");
  // Deletions come last, so that all other calls find their objects.
  const calls = Object.entries(CALLS).toSorted(([a], [b]) => rank(a) - rank(b));
  for (const [name, call] of calls)
    await textOf(await key.send(name.split(" ")[0] ?? "", call.path(ids), call.body?.(ids)));
  for (const { path, body } of Object.values(REFERENCES))
    await (await key.send(body === undefined ? "GET" : "POST", path(ids), body?.(ids))).arrayBuffer();
  for (const body of VARIETY)
    for (const offset of [0, 600]) {
      await bodyOf(await key.query({ ...body, offset }));
      await bodyOf(await key.send("POST", "/api/v1/leads/search", { ...body, limit: 1 }));
    }
}

const rank = (name: string): number => (name.startsWith("DELETE") ? 2 : name.includes("merge") ? 1 : 0);
