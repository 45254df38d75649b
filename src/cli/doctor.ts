import type { Config } from "../config/config.ts";
import type { Command } from "./command.ts";
import { examine } from "./doctor/checks.ts";
import { Installation } from "./doctor/installation.ts";

/** What `--json` prints. */
interface Examined {
  mistakes: number;
  warnings: number;
  findings: { check: string; result: string; found: string; advice: string | null }[];
}

export const doctor: Command = {
  name: "doctor",
  usage:
    "doctor   (looks for mistakes in settings, proxy, database, backups and what else the service needs, and says what to do; exit code 0 without a mistake, otherwise 1)",
  options: {},
  required: [],
  examinesSettings: true,
  async run({ examined, databaseUrl }): Promise<Examined> {
    const { config } = examined;
    const installation = new Installation(examined, config.databaseUrl ?? databaseUrl);
    try {
      const findings = (await examine(installation)).map((finding) => ({
        ...finding,
        found: without(secretsOf(config), finding.found),
      }));
      const count = (result: string) => findings.filter((finding) => finding.result === result).length;
      return { mistakes: count("mistake"), warnings: count("warning"), findings };
    } finally {
      await installation.close();
    }
  },
  isFailure: ({ mistakes }: Examined) => mistakes > 0,
  readable: ({ findings, mistakes, warnings }: Examined) =>
    [
      ...findings.map(
        ({ check, result, found, advice }) =>
          `${(result === "ok" ? result : result.toUpperCase()).padEnd(8)} ${check}: ${found}${advice === null ? "" : `\n         → ${advice}`}`,
      ),
      `${counted(mistakes, "mistake")}, ${counted(warnings, "warning")}`,
    ].join("\n"),
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** The secrets in the settings, whole and as the passwords of URLs: libraries may put them into errors. */
function secretsOf(config: Config): string[] {
  const urls = [config.databaseUrl, config.databaseDirectUrl, config.redisUrl, config.smtpUrl];
  const passwords = urls.flatMap((url) => {
    const password = url === undefined ? undefined : URL.parse(url)?.password;
    return password ? [password, decoded(password)] : [];
  });
  const whole = [...urls, ...config.secretKeys, config.metricsToken, config.backupPassphrase];
  return [...whole, ...passwords].filter((secret) => secret !== undefined && secret.length > 3) as string[];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const without = (secrets: readonly string[], text: string): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
