import { mostDescriptors } from "../../config/descriptors.ts";
import { checkSmtp } from "../../server/smtp.ts";
import { type Finding, mistake, ok, warning, wordsOf } from "./finding.ts";
import { ANSWER_MS, type Installation } from "./installation.ts";

/** Descriptors of the listeners' sockets, of the database and files, and of connections that browsers keep open. */
const [LISTENERS, OWN, IDLE] = [128, 100, 500];

/** The limit of file descriptors against what ADMISSION lets in; that of the instance, if it answers. */
export async function checkDescriptors(installation: Installation): Promise<Finding[]> {
  const { admission } = installation.config;
  const wanted = LISTENERS + OWN + IDLE + admission.inFlight + 4 * admission.waiting;
  const [port = 0] = installation.ports;
  const asked = await installation.asked(installation.here(port)).catch(() => undefined);
  const most = asked?.seen?.descriptors ?? (await mostDescriptors());
  if (most === undefined)
    return [ok("This system does not say how many file descriptors a process may have.")];
  if (most >= wanted) return [ok(`A process may have ${most} file descriptors.`)];
  return [
    mistake(
      `A process may have ${most} file descriptors, but the requests that ADMISSION lets in need about ${wanted}: connections would be reset.`,
      `Raise the limit to ${Math.max(4_096, wanted)} or more: LimitNOFILE= (systemd), --ulimit nofile= (containers), ulimit -n (shells).`,
    ),
  ];
}

/** The mail server: whether it accepts a connection and the password. Nothing is sent. */
export async function checkMail({ config: { smtpUrl } }: Installation): Promise<Finding[]> {
  if (smtpUrl === undefined)
    return [
      warning(
        "SMTP_URL is missing: no mails are sent.",
        "Set SMTP_URL, or hand over links yourself (docs/operate/people.md).",
      ),
    ];
  // What cannot be read is a finding of the settings.
  if (!URL.canParse(smtpUrl)) return [];
  try {
    await checkSmtp(smtpUrl, ANSWER_MS);
    return [ok("The mail server accepts the connection and the password.")];
  } catch (error) {
    const { code } = error as { code?: string };
    const [found, advice] =
      code === "EAUTH"
        ? [
            "refuses the name or the password of SMTP_URL",
            "Correct the password in SMTP_URL, percent-encoded.",
          ]
        : ["does not answer as one", "Correct the host and the port of SMTP_URL, or open the way to it."];
    return [mistake(`The mail server ${found}: ${wordsOf(error)}.`, advice)];
  }
}

const OLDEST_REDIS = 6;

/** Redis: whether it answers, and its version. */
export async function checkRedis({ config: { redisUrl } }: Installation): Promise<Finding[]> {
  if (redisUrl === undefined) return [ok("REDIS_URL is not set.")];
  const { Redis } = await import("ioredis");
  const redis = new Redis(redisUrl, {
    ...{ lazyConnect: true, connectTimeout: ANSWER_MS, commandTimeout: ANSWER_MS },
    ...{ maxRetriesPerRequest: 0, retryStrategy: () => null },
  });
  let failure: unknown;
  redis.on("error", (error) => {
    failure ??= error;
  });
  try {
    await redis.connect();
    await redis.ping();
    const version = /^redis_version:(\S+)/m.exec(await redis.info("server"))?.[1] ?? "unknown";
    return Number.parseInt(version, 10) < OLDEST_REDIS
      ? [warning(`Redis ${version} is old.`, `Install Redis ${OLDEST_REDIS} or newer.`)]
      : [ok(`Redis ${version} answers.`)];
  } catch (error) {
    return [
      mistake(
        `Redis does not answer: ${wordsOf(failure ?? error)}. Limits are counted without it, at half their size.`,
        "Start Redis, or correct REDIS_URL and its password.",
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

/** The oldest Node that the service is tested with. */
const OLDEST_NODE = 24;

/** The Node that runs the instance. */
export async function checkNode(installation: Installation): Promise<Finding[]> {
  const [port = 0] = installation.ports;
  const asked = await installation.asked(installation.here(port)).catch(() => undefined);
  const node = asked?.seen?.node ?? process.versions.node;
  return Number.parseInt(node, 10) < OLDEST_NODE
    ? [mistake(`Node ${node} runs the service.`, `Use Node ${OLDEST_NODE} or newer.`)]
    : [ok(`Node ${node} runs the service.`)];
}
