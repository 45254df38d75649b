import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { within } from "../core/within.ts";
import { RELEASE } from "../db/migration/release.ts";
import { mailsSettled } from "../domain/operation/mail/mail.ts";
import type { Service } from "../domain/operation/service/service.ts";
import { offerSetUp } from "../domain/projects/set-up.ts";
import { standIn } from "../server/stand-in.ts";
import { type Listening, listen, type Opened, openService } from "../server/start.ts";
import type { Command } from "./command.ts";
import { type Answering, answerCommands } from "./instance/answer.ts";

export const serve: Command = {
  name: "serve",
  usage: "serve   (serves until SIGTERM or Ctrl C; npm start runs this)",
  options: {},
  required: [],
  async run({ config }) {
    await serveUntilStopped(config, async (service) => {
      const link = await setUpLink(service);
      if (link === undefined) return;
      process.stdout.write(
        `\nNobody can sign in yet. Create the first owner here (once, within 24 hours):\n  ${config.authUrl}/setup/${link}\n\n`,
      );
    });
    return undefined;
  },
};

const AGAIN_MS = 1_000;

/** Returns the link for the first owner, if one is needed, once the database answers: a running service does not end for it. */
async function setUpLink(service: Service): Promise<string | undefined> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await offerSetUp(service);
    } catch (error) {
      if (isFirst)
        service.log.warn({ err: error }, "could not look for a first owner; it will be retried every second");
      await sleep(AGAIN_MS, undefined, { ref: false });
    }
  }
}

/** When a stop that hangs ends with 1, in milliseconds after the signal. */
const LAST_MS = 9_700;
/** How long the steps of a stop may take, in milliseconds after it began; what is left of ten seconds is for the machine. */
const COMMANDS_MS = 6_500;
const MAILS_MS = 8_000;
const CLOSE_MS = 9_000;
/** Then only connections that nobody answers keep the process. */
const LEFTOVERS_MS = 100;

/**
 * Serves until SIGTERM or SIGINT, then drains within ten seconds, without waiting for what does not answer. A second
 * signal ends the process at once, unless it follows within a second. Throws, after draining, if a newer release has changed the
 * database so that this one has to stop.
 */
export async function serveUntilStopped(
  config: Config,
  onReady: (service: Service) => Promise<void>,
): Promise<void> {
  refuseOnePort(config);
  const signal = stopSignal();
  const waiting = standIn(config);
  const opened = await openedUntil(signal, config, waiting.open).catch(async (error: unknown) => {
    await waiting.close();
    throw error;
  });
  if (opened === undefined) {
    await waiting.close();
    return exitSoon();
  }
  const { log } = opened.service;
  let listening: Listening | undefined;
  let answering: Answering | undefined;
  let outdated: Error | undefined;
  try {
    listening = await listen(opened.service, config, opened.backupSource, waiting);
    answering = await answerCommands(config, opened);
    const whenOutdated = listening.outdated.then((error) => {
      outdated = error;
      setTimeout(() => process.exit(1), LAST_MS).unref();
      log.error({ release: RELEASE }, error.message);
    });
    log.info({ authUrl: config.authUrl, baseUrl: config.baseUrl, role: config.role }, "listening");
    if (!existsSync(join(config.panelDir, ".vite/manifest.json")))
      log.warn(
        "the panel and /reference are not built: run npm ci without --omit=dev, or install a release archive",
      );
    process.stdout.write(`Leadgate is ready: ${placesOf(config)}\n`);
    await Promise.race([onReady(opened.service), signal, whenOutdated]);
    log.info({ signal: await Promise.race([signal, whenOutdated]) }, "draining");
  } finally {
    await waiting.close();
    const began = performance.now();
    const until = (ms: number, work: Promise<unknown>) => within(ms - (performance.now() - began), work);
    try {
      await Promise.all([listening?.stop(), answering?.stop(COMMANDS_MS)]);
      await until(MAILS_MS, mailsSettled());
    } finally {
      const isClosed = await until(CLOSE_MS, opened.close());
      if (!isClosed) log.warn("the database takes long to stop; the next start waits for it");
    }
  }
  log.info("stopped");
  exitSoon();
  if (outdated !== undefined) throw outdated;
}

/** The URLs behind a proxy often have one port; the listeners need two. */
function refuseOnePort({ role, authPort, apiPort }: Config): void {
  if (role !== "all" || authPort !== apiPort || authPort === 0) return;
  throw new Error(
    `AUTH_PORT and API_PORT are both ${authPort}, the port of the URLs if they are left out. Set them to the two ports to which a proxy leads, such as 3000 and 3001.`,
  );
}

/** Opens the service; returns undefined if the signal comes while it waits for migrations or applies them. */
async function openedUntil(
  signal: Promise<unknown>,
  config: Config,
  onBusy: () => Promise<void>,
): Promise<Opened | undefined> {
  const stopping = new AbortController();
  void signal.then(() => stopping.abort());
  try {
    return await openService(config, { onBusy, signal: stopping.signal });
  } catch (error) {
    if (stopping.signal.aborted) return undefined;
    throw error;
  }
}

const exitSoon = (): void => void setTimeout(() => process.exit(), LEFTOVERS_MS).unref();

/** How long a repeated signal is the first one: Ctrl-C arrives from the terminal, and again from npm. */
const SAME_MS = 1_000;

/** Resolves with the first signal to stop. A second one, or a stop that hangs, ends the process with 1. */
function stopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const end = () => process.exit(1);
  let first: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (first === undefined) {
      first = performance.now();
      setTimeout(end, LAST_MS).unref();
      resolve(signal);
    } else if (performance.now() - first > SAME_MS) end();
  };
  for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, stop);
  return promise;
}

/** The URLs of this instance and what it serves there. */
function placesOf({ role, authUrl, baseUrl }: Config): string {
  const [web, api] = [`${authUrl} (web, MCP)`, `${baseUrl} (API)`];
  return { all: `${web} and ${api}`, web, api, worker: "worker for background jobs" }[role];
}
