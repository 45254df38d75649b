import { readConfig } from "../../../src/config/config.ts";
import type { ProjectDb } from "../../../src/db/pool/database.ts";
import { serviceDoor } from "../../../src/db/pool/project-door.ts";
import { queryLeads } from "../../../src/domain/leads/read/query-leads.ts";
import { openService } from "../../../src/server/start.ts";
import { SECRET_KEY } from "../../../test/processes/service-process.ts";

export interface Sent {
  text: string;
  values: readonly unknown[];
}

type Input = Parameters<typeof queryLeads.run>[1];

/**
 * Returns the statement that the service sends for each of these queries. Called `calls` times before; from the second
 * time on, the service asks for a mark, and from the third on it knows the page, so that PostgreSQL need not build its JSON.
 */
export async function statementsOf(
  databaseUrl: string,
  projectId: string,
  inputs: readonly Input[],
  calls = 1,
): Promise<Sent[]> {
  const opened = await openService({ ...readConfig({ LOG_LEVEL: "error", SECRET_KEY }), databaseUrl });
  try {
    const { service } = opened;
    const real = service.db.behind(serviceDoor(projectId));
    let sent: Sent | undefined;
    const db: ProjectDb = {
      ...real,
      query: (text, values = [], options = {}) => {
        sent = { text, values };
        return real.query(text, values, options);
      },
      queryAndCheck: (text, values, check, options = {}) => {
        sent = { text, values };
        return real.queryAndCheck(text, values, check, options);
      },
    };
    const caller = { kind: "key", projectId, id: "key_bench", hash: Buffer.alloc(32) } as const;
    const statements: Sent[] = [];
    for (const input of inputs) {
      for (let call = 0; call < calls; call += 1) await queryLeads.run({ service, db, caller }, input);
      if (sent === undefined) throw new Error("the service sent no statement");
      statements.push(sent);
    }
    return statements;
  } finally {
    await opened.close();
  }
}
