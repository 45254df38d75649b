import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examine } from "../../../src/cli/doctor/checks.ts";
import type { Finding } from "../../../src/cli/doctor/finding.ts";
import { Installation } from "../../../src/cli/doctor/installation.ts";
import { examineSettings } from "../../../src/config/examine.ts";
import { mailbox } from "../../accounts/support/mailbox.ts";
import { freePort, type World, world } from "../../world.ts";

type Env = Record<string, string | undefined>;

/** An installation as it should be: a service behind a proxy for each host, with mails and verified backups. */
export interface Sound extends AsyncDisposable {
  the: World;
  env: Env;
  /** A folder of the test. */
  folder: string;
  /** What the doctor finds with these settings besides or instead, except for what is fine. */
  findings(env?: Env): Promise<(Finding & { check: string })[]>;
}

export async function sound(more: Record<string, string> = {}): Promise<Sound> {
  const [authPort, apiPort] = [await freePort(), await freePort()];
  const proxies = [await proxyTo(authPort), await proxyTo(apiPort)] as const;
  const mail = await mailbox();
  const folder = mkdtempSync(join(tmpdir(), "leadgate-doctor-"));
  const the = await world({
    env: {
      ...{ AUTH_URL: proxies[0].url, BASE_URL: proxies[1].url },
      ...{ AUTH_PORT: String(authPort), API_PORT: String(apiPort), TRUSTED_PROXIES: "127.0.0.1,::1" },
      ...{ SMTP_URL: mail.url, METRICS_TOKEN: "a token of the test", ADMISSION: "{}" },
      ...{ BACKUPS: JSON.stringify({ to: folder }), BACKUP_PASSPHRASE: "kept elsewhere" },
      ...more,
    },
  });
  await reported(the, folder, { hours: 3, verifiedHours: 20 });
  const env: Env = the.env;
  return {
    ...{ the, env, folder },
    findings: (changed = {}) => findingsOf({ ...env, ...changed }),
    async [Symbol.asyncDispose]() {
      await the[Symbol.asyncDispose]();
      await Promise.all([...proxies.map((proxy) => proxy.close()), mail[Symbol.asyncDispose]()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function findingsOf(env: Env): Promise<(Finding & { check: string })[]> {
  const installation = new Installation(examineSettings({}, env));
  try {
    return (await examine(installation)).filter(({ result }) => result !== "ok");
  } finally {
    await installation.close();
  }
}

/** Stores what an instance reports about the newest backup in a folder. */
export async function reported(
  the: World,
  folder: string,
  { hours, verifiedHours }: { hours: number; verifiedHours?: number },
): Promise<void> {
  const ago = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();
  const verified = verifiedHours === undefined ? {} : { verified: ago(verifiedHours) };
  const report = { backups: [{ name: "one", finished: ago(hours) }], count: 1, failed: null, ...verified };
  await the.sql(
    `INSERT INTO leadgate.backup_report (host, folder, report) VALUES ('test', $1, $2)
     ON CONFLICT (host, folder) DO UPDATE SET report = excluded.report`,
    [folder, JSON.stringify(report)],
  );
}

interface Proxy {
  url: string;
  close(): Promise<unknown>;
}

/** A proxy of two dozen lines: `forwarded` says what it makes of X-Forwarded-For. */
export async function proxyTo(
  port: number,
  forwarded: "replaced" | "dropped" | "passed" = "replaced",
): Promise<Proxy> {
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers };
    if (forwarded === "replaced") headers["x-forwarded-for"] = asked.socket.remoteAddress ?? "";
    if (forwarded === "dropped") delete headers["x-forwarded-for"];
    const { method, url: path } = asked;
    const passed = request({ host: "127.0.0.1", port, method, path, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
