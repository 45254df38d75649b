import { randomFrom } from "../../../../test/api/support/random-filter.ts";
import type { BenchProject } from "../../leads/leads-data.ts";

/** A project and a key that may read and write its leads. */
export interface Tenant {
  project: BenchProject;
  key: string;
}

const STATUSES = ["new", "contacted", "qualified", "won", "lost"];
const SOURCES = ["website", "referral", "event", "ads", "partner", "cold call"];
const WORDS = ["linda", "smith", "maria", "jones", "peter", "brown", "anna", "miller"];

/**
 * Returns requests as programs send them, in random order: of a hundred, 50 pages with different filters, 20 leads by id,
 * 10 searches, 5 counts, 12 changes and 3 new leads, evenly by tenant.
 */
export function mixOf(tenants: readonly Tenant[], count: number, seed: number): Uint8Array[] {
  const random = randomFrom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const one = (list: readonly string[]) => list[below(list.length)] ?? "";
  const leadOf = ({ leads }: BenchProject) => `lead_${(1 + below(leads)).toString(16).padStart(26, "0")}`;
  const filter = () => {
    const kinds = [
      () => ({ and: [is("status", "eq", one(STATUSES)), is("source", "eq", one(SOURCES))] }),
      () => {
        const from = below(90);
        return is("score", "between", [from, from + 5]);
      },
      () => is("tags", "has_any", [`tag${below(60)}`, `tag${below(60)}`]),
      () => {
        const from = below(9_000);
        return is("value", "between", [from, from + 300]);
      },
      () => is("campaign", "eq", `campaign ${below(40)}`),
    ];
    return kinds[below(kinds.length)]?.() ?? {};
  };
  return Array.from({ length: count }, (_, i) => {
    const tenant = tenants[i % tenants.length];
    if (tenant === undefined) throw new Error("a mix needs tenants");
    const { project, key } = tenant;
    const kind = below(100);
    if (kind < 50) {
      const body = { project_id: project.id, limit: 50, total: "none", filter: filter() };
      return asked("POST", "/api/leads/query/", key, body);
    }
    if (kind < 70) return asked("GET", `/api/v1/leads/${leadOf(project)}`, key);
    if (kind < 80) return asked("POST", "/api/v1/leads/search", key, { search: one(WORDS), limit: 25 });
    if (kind < 85) return asked("POST", "/api/v1/leads/count", key, { filter: filter() });
    if (kind < 97) return asked("PATCH", `/api/v1/leads/${leadOf(project)}`, key, { score: below(100) });
    return asked("POST", "/api/v1/leads", key, { name: `New ${i}`, source: one(SOURCES) });
  });
}

const is = (field: string, op: string, value: unknown) => ({ field, op, value });

/** Returns the bytes of a page of 50 leads. */
export const pageOf = ({ project, key }: Tenant): Uint8Array =>
  asked("POST", "/api/leads/query/", key, { project_id: project.id, limit: 50, total: "none" });

function asked(method: string, path: string, key: string, body?: object): Uint8Array {
  const text = body === undefined ? "" : JSON.stringify(body);
  const content =
    text === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${content}\r\n${text}`,
  );
}
