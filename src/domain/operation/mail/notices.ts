import { isIP } from "node:net";
import { browserNames } from "../../../core/browser-names.ts";
import { type Locale, preferredLocale, type Words } from "../../../core/locale.ts";
import { takeRecent } from "../limits/recent-hits.ts";
import type { Service } from "../service/service.ts";
import { behind, send } from "./mail.ts";
import type { Frame, Notice, Wording } from "./notice.ts";
import { ENGLISH_FRAME, inEnglish } from "./notice-in-english.ts";
import { inPortuguese, PORTUGUESE_FRAME } from "./notice-in-portuguese.ts";

const WORDINGS: Words<(notice: Notice) => Wording> = { en: inEnglish, "pt-BR": inPortuguese };
const FRAMES: Words<Frame> = { en: ENGLISH_FRAME, "pt-BR": PORTUGUESE_FRAME };

/** What strangers, programs or the operator cause: their request says nothing about the person's language. */
const OF_OTHERS: ReadonlySet<Notice["kind"]> = new Set(["wrong_codes", "token_replayed", "factors_ended"]);

const HOUR = 3_600;
/** The mails of one kind that a person gets in any hour, however often it happens. */
const most = (kind: Notice["kind"]): number => (kind === "wrong_codes" ? 1 : 10);

interface Recipient {
  email: string;
  locale: Locale | null;
  now: Date;
}

/**
 * Notifies a person by mail of what this request did to their account, if their address is verified. Call it after the
 * transaction has committed: the mail is sent behind the response, and without SMTP nothing happens.
 */
export function tell(service: Service, personId: string, notice: Notice): void {
  behind(service, async () => {
    const recipient = await service.db.transaction(async (tx) => {
      const [found] = await tx.query<Recipient>(
        "SELECT email, locale, moment() AS now FROM person WHERE id = $1 AND verified_at IS NOT NULL",
        [personId],
      );
      if (found === undefined) return undefined;
      const limit = { bucket: `mail ${notice.kind} ${personId}`, most: most(notice.kind), seconds: HOUR };
      return (await takeRecent(tx, [limit])) === undefined ? found : undefined;
    });
    if (recipient === undefined) return;
    await send(service, { to: recipient.email, ...written(service, recipient, notice) });
  });
}

/** Returns a notice as a mail: what happened, when and from where, and what to do if it was not the person. */
function written(
  { origin, config }: Service,
  { locale: chosen, now }: Recipient,
  notice: Notice,
): { subject: string; text: string } {
  const asked = OF_OTHERS.has(notice.kind) ? undefined : origin?.languages;
  const locale = chosen ?? preferredLocale(asked);
  const { subject, what, advice, path } = WORDINGS[locale](notice);
  const frame = FRAMES[locale];
  const text = `${what}

${frame.when}: ${momentIn(locale, now)}
${frame.where}: ${placeOf(origin, frame)}

${advice}

  ${config.authUrl}${path}
`;
  return { subject, text };
}

const momentIn = (locale: Locale, date: Date): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", hourCycle: "h23", timeZone: "UTC" }).format(date)} UTC`;

/** Where a request came from. A browser is named only if it is a known one: its header is the sender's own text. */
function placeOf(origin: Service["origin"], frame: Frame): string {
  if (origin === undefined) return frame.commandLine;
  const { browser, system } = browserNames(origin.agent ?? "");
  const named = system === undefined ? browser : browser && `${browser} ${frame.on} ${system}`;
  const plain = origin.address.split("%")[0] ?? "";
  const address = isIP(plain) === 0 ? frame.unknownAddress : `${frame.address} ${plain}`;
  return `${named ?? frame.unknownBrowser}, ${address}`;
}
