import { classOf } from "../../observe/trace/span.ts";
import { sweepEmailLinks } from "../accounts/change-email.ts";
import { sweepResets } from "../accounts/request-reset.ts";
import { sweepSessions } from "../accounts/sessions/session.ts";
import { sweepChallenges } from "../accounts/sign-in/passkey-challenge.ts";
import { sweepSignInAttempts } from "../accounts/sign-in/sign-in-attempt.ts";
import { sweepApprovals } from "../approvals/sweep-approvals.ts";
import { sweepChanges } from "../changes/sweep-changes.ts";
import { forgetUnused } from "../clients/forget-unused.ts";
import { sweepDatasets } from "../datasets/sweep-datasets.ts";
import { sweepExports } from "../exports/sweep-exports.ts";
import { sweepIndexes } from "../field-index/build-indexes.ts";
import { sweepGrants } from "../grants/sweep-grants.ts";
import { sweepImports } from "../imports/run/sweep-imports.ts";
import { sweepHits } from "../operation/limits/postgres-limiter.ts";
import { sweepRecentHits } from "../operation/limits/recent-hits.ts";
import { recording, type Service } from "../operation/service/service.ts";
import { eraseProjects } from "../projects/delete-project.ts";
import { forgetReports } from "./backups/report.ts";
import { collectOptOuts } from "./collect-opt-outs.ts";
import { enqueueAllLost } from "./enqueue-lost.ts";
import { rereadPhones } from "./reread-phones.ts";
import { sweepAudit } from "./sweep-audit.ts";
import { sweepRecords } from "./sweep-records.ts";

const EVERY_MS = 10 * 60_000;

/** The advisory lock that a sweep holds. */
export const SWEEP_LOCK = 7_237_002;

const STEPS: readonly ((service: Service) => Promise<unknown>)[] = [
  sweepSessions,
  sweepResets,
  sweepEmailLinks,
  sweepSignInAttempts,
  sweepHits,
  sweepRecentHits,
  sweepChallenges,
  ({ db }) => db.query("DELETE FROM setup_link WHERE expires_at < moment()"),
  forgetReports,
  ({ db }) => db.query("DELETE FROM instance WHERE seen_at < moment() - interval '1 day'"),
  sweepGrants,
  sweepApprovals,
  forgetUnused,
  sweepAudit,
  eraseProjects,
  enqueueAllLost,
  sweepExports,
  sweepImports,
  sweepDatasets,
  sweepIndexes,
  sweepChanges,
  sweepRecords,
  rereadPhones,
  collectOptOuts,
];

/**
 * Sweeps regularly as long as the service runs, and continues the indexes and the opt-outs at once: a new version may have others.
 * Returns a function that stops it.
 */
export function keepSwept(service: Service): () => void {
  sweepIndexes(service).catch((error: unknown) =>
    service.log.warn({ err: error }, "indexes of fields are not built yet; the next sweep continues"),
  );
  collectOptOuts(service).catch((error: unknown) =>
    service.log.warn(
      { err: error },
      "opt-outs of a former release are not collected yet; the next sweep continues",
    ),
  );
  const again = () => {
    sweep(service).catch((error: unknown) =>
      service.log.warn({ err: error }, "the sweep could not start; it will be retried"),
    );
  };
  const timer = setInterval(again, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Deletes expired data in small statements that block nobody; a failing step does not stop the others. Returns
 * false if another instance is sweeping.
 */
export async function sweep(service: Service): Promise<boolean> {
  return await service.db.locks.alone(SWEEP_LOCK, async () => {
    const trace = service.tracer?.work("sweep");
    for (const step of STEPS) {
      await step(recording(service, trace)).catch((error: unknown) => {
        if (trace !== undefined) trace.root.error = classOf(error);
        service.log.warn({ err: error }, "a step of the sweep failed; it will be retried");
      });
    }
    trace?.end();
  });
}
