import type { Locale } from "../../../core/locale.ts";
import { isStoreAddress } from "../../../core/store-address.ts";
import type { PostgresState } from "../../../domain/operation/service/postgres-state.ts";
import type { BackupPlace } from "../../../domain/upkeep/backups/read-reports.ts";
import type { BackupReport } from "../../../domain/upkeep/backups/report.ts";
import { momentIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { framed } from "../shared/frame.ts";
import type { Visitor } from "../shared/signed-in.ts";
import { postgresSection } from "./postgres.ts";
import { BACKUP_WORDS } from "./words.ts";

/** Returns the page of the regular backups, with a section for each folder, and one for the PostgreSQL of the data folder. */
export function backupsPage(
  visitor: Visitor,
  places: readonly BackupPlace[],
  postgres: PostgresState | undefined,
): Reply {
  const { locale } = visitor;
  const words = BACKUP_WORDS[locale];
  const body = html`<h1>${words.title}</h1>
<p>${words.intro}</p>
${places.length === 0 ? html`<p class="quiet">${words.off}</p>` : places.map((place) => section(locale, place))}
${postgres !== undefined && postgresSection(locale, postgres)}`;
  return framed(visitor, words.title, body);
}

function section(locale: Locale, place: BackupPlace): Html {
  const words = BACKUP_WORDS[locale];
  const { host, folder, report, reportedAt, isCurrent } = place;
  const { failed, verifyFailed, backups, at, zone, keptDays, store: copy } = report;
  const [newest] = backups;
  return html`<section>
<h2><bdi>${folder}</bdi> <small>${words.on(host)}</small></h2>
${!isCurrent && html`<p class="error">${words.silent(momentIn(locale, reportedAt))}</p>`}
${copy?.failed && html`<p class="error">${words.storeFailed(time(locale, copy.failed.at), sentence(copy.failed.why))}</p>`}
${failed !== null && html`<p class="error">${words.failed(time(locale, failed.at), sentence(failed.why))}</p>`}
${verifyFailed && html`<p class="error">${words.verifyFailed(time(locale, verifyFailed.at), sentence(verifyFailed.why))}</p>`}
<p>${words.daily(at, zone, keptDays)}</p>
${newest === undefined ? html`<p>${words.none}</p>` : state(locale, report)}
${newest !== undefined && report.verified !== undefined && html`<p>${verified(locale, report.verified)}</p>`}
${copy !== undefined && html`<p>${stored(locale, copy)}</p>`}
${report.isOnSameDisk === true && html`<p>${words.sameDisk}</p>`}
${newest?.hasKey === false && html`<p class="error">${words.noKey}</p>`}
${newest !== undefined && list(locale, report)}
${newest !== undefined && html`<p>${words.restore}</p><pre>leadgate restore --from ${isStoreAddress(folder) ? `'${folder}'` : folder}</pre>`}
</section>`;
}

/** Returns when a backup was last restored and compared. */
function verified(locale: Locale, when: string | null): string {
  const words = BACKUP_WORDS[locale];
  return when === null ? words.notVerified : words.verified(time(locale, when), ago(locale, new Date(when)));
}

/** Returns how far the store is behind. */
function stored(locale: Locale, { greatestDelay, waitingBytes }: NonNullable<BackupReport["store"]>): string {
  const words = BACKUP_WORDS[locale];
  const delay = greatestDelay === null ? "" : ` ${words.storeDelay(lastingIn(locale, greatestDelay))}`;
  if (waitingBytes === null) return words.storeUnknown + delay;
  return (waitingBytes === 0 ? words.storeHasAll : words.storeWaits(sizeIn(locale, waitingBytes))) + delay;
}

/** Returns a duration in seconds, minutes or hours. */
function lastingIn(locale: Locale, seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? [seconds, "second"]
      : seconds < 7_200
        ? [seconds / 60, "minute"]
        : [seconds / 3_600, "hour"];
  return new Intl.NumberFormat(locale, {
    ...{ style: "unit", unit, unitDisplay: "long", maximumFractionDigits: unit === "second" ? 1 : 0 },
  }).format(count);
}

/** Returns what can be restored. */
function state(locale: Locale, report: BackupReport): Html {
  const { backups, log, archivedFrom, archivedUntil, archiveFailed } = report;
  const words = BACKUP_WORDS[locale];
  const any =
    archivedFrom === null || archivedUntil === null || archiveFailed
      ? words.notArchived(archiveFailed ? sentence(archiveFailed.why) : undefined)
      : words.any(time(locale, archivedFrom), time(locale, archivedUntil));
  return html`<p>${words.newest(time(locale, backups[0]?.finished ?? ""))}${log && ` ${any}`}</p>`;
}

function list(locale: Locale, { backups, count }: BackupReport): Html {
  const words = BACKUP_WORDS[locale];
  const rows = backups.map(
    ({
      name,
      finished,
      bytes,
      release,
      hasKey,
      isEncrypted,
    }) => html`<tr><th scope="row">${time(locale, finished)}</th>
<td>${sizeIn(locale, bytes)}</td><td><code>${name}</code></td><td>${release}</td><td>${isEncrypted === true ? words.yes : words.hasNot}</td><td>${hasKey ? words.has : words.hasNot}</td></tr>`,
  );
  const more = count - backups.length;
  return html`<div class="wide"><table><thead><tr><th scope="col">${words.finished}</th><th scope="col">${words.size}</th>
<th scope="col">${words.name}</th><th scope="col">${words.release}</th><th scope="col">${words.encrypted}</th><th scope="col">${words.key}</th></tr></thead>
<tbody>${rows}</tbody></table></div>
${more > 0 && html`<p class="quiet">${words.older(more.toLocaleString(locale))}</p>`}`;
}

const time = (locale: Locale, moment: string): string => momentIn(locale, new Date(moment));

/** How long ago, in days, or in hours on the same day. */
function ago(locale: Locale, moment: Date): string {
  const hours = Math.round((Date.now() - moment.getTime()) / 3_600_000);
  const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  return hours < 24 ? words.format(-hours, "hour") : words.format(-Math.round(hours / 24), "day");
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const sizeIn = (locale: Locale, bytes: number): string =>
  new Intl.NumberFormat(locale, {
    style: "unit",
    ...(bytes < 1_000_000_000 ? { unit: "megabyte" } : { unit: "gigabyte" }),
    maximumFractionDigits: 1,
  }).format(bytes / (bytes < 1_000_000_000 ? 1_000_000 : 1_000_000_000));
