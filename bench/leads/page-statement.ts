import { readConfig } from "../../src/config/config.ts";
import type { ProjectDb } from "../../src/db/pool/database.ts";
import { serviceDoor } from "../../src/db/pool/project-door.ts";
import { queryLeads } from "../../src/domain/leads/read/query-leads.ts";
import { openService } from "../../src/server/start.ts";
import { SECRET_KEY } from "../support/service-process.ts";

export interface Sent {
  text: string;
  values: readonly unknown[];
}

type Input = Parameters<typeof queryLeads.run>[1];

/**
 * Returns the statements that the service sends for a query, one entry per query. With `known`, the
 * service has the page in its cache and PostgreSQL need not build its JSON.
 */
export async function statementsOf(
  databaseUrl: string,
  projectId: string,
  input: Input,
  known = false,
): Promise<Sent[]> {
  const opened = await openService({ ...readConfig({ LOG_LEVEL: "error", SECRET_KEY }), databaseUrl });
  try {
    const { service } = opened;
    const real = service.db.behind(serviceDoor(projectId));
    const sent: Sent[] = [];
    const db: ProjectDb = {
      ...real,
      query: (text, values = [], options = {}) => {
        sent.push({ text, values });
        return real.query(text, values, options);
      },
    };
    const caller = { kind: "key", projectId, id: "key_bench", hash: Buffer.alloc(32) } as const;
    // The first call may load what the service caches about a project, the second is typical, the third
    // caches the page.
    for (let call = 0; call < (known ? 3 : 1); call += 1)
      await queryLeads.run({ service, db, caller }, input);
    sent.length = 0;
    await queryLeads.run({ service, db, caller }, input);
    return sent;
  } finally {
    await opened.close();
  }
}
