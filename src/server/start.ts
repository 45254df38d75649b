import { join } from "node:path";
import { type DestinationStream, pino } from "pino";
import type { Config } from "../config/config.ts";
import { within } from "../core/within.ts";
import type { Source } from "../db/backup/take-backup.ts";
import { checkAddresses, DISTRIBUTED } from "../db/check-addresses.ts";
import { startEmbedded } from "../db/embedded/index.ts";
import { migrate } from "../db/migrate.ts";
import { RELEASE } from "../db/migration/release.ts";
import type { Report } from "../db/migration/without-transaction.ts";
import { backgroundDatabase } from "../db/pool/background-database.ts";
import { Database } from "../db/pool/database.ts";
import { watchWrites } from "../db/pool/write-check.ts";
import { keepProbing } from "../domain/clients/probe-documents.ts";
import { LiveHub } from "../domain/live/live-hub.ts";
import { limiterOf } from "../domain/operation/limits/limiter-of.ts";
import { DocumentOffer } from "../domain/operation/service/document-offer.ts";
import type { Limiter } from "../domain/operation/service/limiter.ts";
import { PageMemory } from "../domain/operation/service/page-memory.ts";
import { Readiness } from "../domain/operation/service/readiness.ts";
import type { Service } from "../domain/operation/service/service.ts";
import { endArchive, keepBackedUp } from "../domain/upkeep/backups/keep-backed-up.ts";
import { finishInterruptedRestore } from "../domain/upkeep/finish-restore.ts";
import { joinInstances } from "../domain/upkeep/join-instances.ts";
import { keepMigrated, logMigrations } from "../domain/upkeep/keep-migrated.ts";
import { keepWorking } from "../domain/upkeep/keep-working.ts";
import { keepMeasured } from "../domain/upkeep/measure-database.ts";
import { rereadPhones } from "../domain/upkeep/reread-phones.ts";
import { forgetKey } from "../domain/upkeep/signing-key.ts";
import { keepSwept } from "../domain/upkeep/sweep.ts";
import { standardError } from "../observe/log/log-writer.ts";
import { Logs } from "../observe/log/logs.ts";
import { Tracer } from "../observe/trace/tracer.ts";
import { type Drainable, drain } from "./drain.ts";
import { openListener } from "./open-listener.ts";
import { reportPostgres } from "./report-postgres.ts";
import { secretKeysOf } from "./secret-keys.ts";
import { mailerOf } from "./smtp.ts";
import type { StandIn } from "./stand-in.ts";

/** An opened service: its database is migrated and reachable. */
export interface Opened {
  service: Service;
  databaseUrl: string;
  /** What regular backups copy. */
  backupSource: Source;
  /** The migrations that this start applied. */
  migrated: string[];
  close(): Promise<void>;
}

/** The time limit of a statement for live readers. */
const LIVE_MS = 5_000;

export interface OpenOptions {
  /** Uses the embedded database of a running server, too. */
  attach?: boolean;
  /** The database was restored without its secret key: another one takes its place. */
  hasNewKey?: boolean;
  /** Receives the log, instead of standard error. */
  logTo?: DestinationStream;
  /** Receives what migrations report, instead of the log. */
  report?: Report;
  /** See MigrateOptions. */
  onBusy?: () => Promise<void>;
  signal?: AbortSignal;
}

/** Opens the database (embedded, unless `DATABASE_URL` names one), migrates it and checks the secret key. */
export async function openService(config: Config, options: OpenOptions = {}): Promise<Opened> {
  const log = pino(
    { level: config.logLevel, redact: ["req.headers.authorization", "req.headers.cookie"] },
    options.logTo ?? standardError,
  );
  if (options.attach !== true) for (const warning of config.warnings) log.warn(warning);
  // The command line answers nobody.
  const logs = options.attach === true ? undefined : Logs.of(config.logs);
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({
          dataDir: config.dataDir,
          pgBin: config.pgBin,
          attach: options.attach === true,
          log: (line) => log.debug({ from: "postgres" }, line),
        })
      : undefined;
  if (embedded?.postgres !== undefined && options.attach !== true) reportPostgres(log, embedded.postgres);
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? "";
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  // The command line holds locks of sessions, as the worker does, so it does not use the pooler.
  const pooled = directUrl !== databaseUrl && options.attach !== true;
  const { distributed } =
    embedded === undefined
      ? await checkAddresses(databaseUrl, config.databaseDirectUrl)
      : { distributed: false };
  let isClosing = false;
  const lost = (error: Error, message: string) => {
    // Connections that end with their server are not news.
    if (!isClosing) log.warn({ err: withoutClient(error) }, message);
  };
  const db = new Database(pooled ? databaseUrl : directUrl, {
    ...{ pooled, distributed },
    prepared: config.preparedStatements,
    connections: config.connections.requests,
    fair: true,
    waitMs: config.timeLimits.wait,
    limits: { ...config.timeLimits, long: config.timeLimits.write },
    exportsPerOwner: config.exports.streamsPerProject,
    onLostConnection: (error) => lost(error, "a database connection was lost"),
    onGranted: (connections) =>
      log.warn(
        { connections, wanted: config.connections.requests },
        "the number of connections that PostgreSQL gives has changed",
      ),
  });
  const readiness = new Readiness(db.connections, log);
  watchWrites(db.pool, (fault) => readiness.failed(fault));
  // The command line is not traced: it would wait for the collector before it exits.
  const tracer =
    config.traces === undefined || options.attach === true
      ? undefined
      : new Tracer(config.traces, RELEASE, log);
  // On a connection of its own: waiting behind requests, it would delay all readers, and it would take their slots.
  const live = new LiveHub(
    () =>
      backgroundDatabase(directUrl, {
        ...{ connections: 1, limitMs: LIVE_MS, distributed },
        onLostConnection: (error) => lost(error, "the connection of live readers was lost"),
      }),
    log,
    tracer,
  );
  let limiter: Limiter | undefined;
  const close = async () => {
    isClosing = true;
    limiter?.close();
    readiness.close();
    await live.close();
    await Promise.all([db.close(), tracer?.close()]);
    await embedded?.stop();
  };
  try {
    const { report = logMigrations(log), onBusy, signal } = options;
    const migrated = await migrate(directUrl, report, {
      ...(onBusy === undefined ? {} : { onBusy }),
      ...(signal === undefined ? {} : { signal }),
    });
    const [now] = await db.query<{ distributed: boolean }>(DISTRIBUTED);
    if (now?.distributed !== distributed)
      throw new Error(
        "The projects were distributed over a cluster while this instance started. Start it again.",
      );
    await rereadPhones({ db, config }).catch((error: unknown) =>
      log.warn({ err: error }, "could not read phone numbers again; the sweep will retry it"),
    );
    if (options.hasNewKey === true) await forgetKey(db);
    const secretKeys = await secretKeysOf(config, db);
    limiter = await limiterOf(config, db, readiness, log);
    return {
      service: {
        ...{ db, log, limiter, live, readiness, tracer, logs },
        config: { ...config, secretKeys },
        pages: new PageMemory(),
        offer: new DocumentOffer(config.documents, log),
        mailer: mailerOf(config),
        backups: { failures: 0, isOnSameDisk: false },
        postgres: embedded?.postgres,
      },
      databaseUrl,
      backupSource:
        embedded === undefined
          ? { kind: "rows", url: directUrl, dataDir: null }
          : { kind: "files", url: embedded.superuserUrl, dataDir: config.dataDir },
      migrated,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The listeners of a role. `stop` drains them: no new connections, requests in flight finish, then everything
 * closes.
 */
export interface Listening {
  stop(): Promise<void>;
  /** Resolves with the reason when a newer release has changed the database so that this one has to stop. */
  outdated: Promise<Error>;
}

/** After so long, requests in flight and running jobs are cut off; the rest of ten seconds is for what comes behind. */
const FINISH_MS = 6_500;

/** Opens the listeners of a role and begins its work; `standIn` holds their ports until then. */
export async function listen(
  service: Service,
  config: Config,
  backupSource?: Source,
  standIn?: StandIn,
): Promise<Listening> {
  // Imported only here: the command line opens the service without serving, and starts in half the time without
  // this.
  const { Admission, apiApp, watchLoop, webApp, workerApp } = await import("./app.ts");
  await finishInterruptedRestore(service);
  // An embedded database without a setting has one key, its own.
  const keys = config.secretKeys.length > 0 ? config.secretKeys : service.config.secretKeys;
  const { leave, outdated } = await joinInstances(service, keys, config.instanceRenewMs);
  const open: Drainable[] = [];
  const admission = new Admission(config.admission);
  const endWatch = watchLoop(service.log);
  const serves = (host: "web" | "api") => config.role === "all" || config.role === host;
  const works = config.role === "all" || config.role === "worker";
  const work = works ? workerOf(service, config) : undefined;
  const endSweeps = work === undefined ? () => {} : keepSwept(work);
  let endMeasuring = () => {};
  const endMigrating = work === undefined ? () => {} : keepMigrated(work);
  const endProbes = serves("web") ? keepProbing(service) : () => {};
  let endWork = async () => {};
  let endBackups = async () => {};
  const stop = async (acceptMs: number) => {
    service.live.drain();
    endSweeps();
    endMeasuring();
    endMigrating();
    endProbes();
    const { log } = service;
    const [hasStopped] = await Promise.all([
      within(FINISH_MS, Promise.all([endWork(), endBackups()])),
      ...open.map((each) => drain(each, { acceptMs, finishMs: FINISH_MS, log })),
    ]);
    if (!hasStopped) log.warn("jobs could not be put back into the queue; other workers will take them over");
    admission.close();
    endWatch();
    await Promise.all([work?.db.close(), leave()]);
  };
  try {
    const web = serves("web") ? await webApp(service, config, admission) : undefined;
    const api =
      config.role === "web"
        ? undefined
        : await (serves("api") ? apiApp : workerApp)(service, config, admission);
    await standIn?.close();
    if (web !== undefined) open.push(await openListener(web, config.host, config.authPort, "AUTH_PORT"));
    if (api !== undefined) open.push(await openListener(api, config.host, config.apiPort, "API_PORT"));
  } catch (error) {
    await stop(0);
    throw error;
  }
  if (work !== undefined) {
    endWork = keepWorking(work);
    endMeasuring = keepMeasured(work);
  }
  if (work !== undefined && backupSource !== undefined) {
    const { backups: settings, backupPassphrase: passphrase, dataDir } = config;
    const lineFile = join(dataDir, "backup-line");
    if (settings !== undefined)
      endBackups = keepBackedUp(work, { settings, source: backupSource, passphrase, dataDir, lineFile });
    else
      await endArchive(backupSource).catch((error: unknown) =>
        service.log.warn({ err: error }, "the server may keep log for an archive that is no longer made"),
      );
  }
  // nobody chooses between workers
  return { stop: () => stop(config.role === "worker" ? 0 : config.drainMs), outdated };
}

/** The error of a lost connection without the connection itself, which the pool adds: it would fill the log. */
function withoutClient(error: Error): Error {
  delete (error as { client?: unknown }).client;
  return error;
}

/** The service for background work, on connections of its own. */
function workerOf(service: Service, { connections, timeLimits, databaseDirectUrl }: Config): Service {
  const onLostConnection = (error: Error) =>
    service.log.warn({ err: withoutClient(error) }, "a database connection of the worker was lost");
  // The queue keeps one for LISTEN.
  const distributed = service.db.isDistributed;
  const options = {
    connections: connections.jobs,
    apart: 1,
    limitMs: timeLimits.job,
    distributed,
    onLostConnection,
  };
  return { ...service, db: backgroundDatabase(databaseDirectUrl ?? service.db.connections.url, options) };
}
