import { readUrl } from "./read-url.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const FORM = { schemes: ["smtp", "smtps"], example: "smtp://leadgate:PASSWORD@mail.example.com:587" };

/** Reads SMTP_URL and MAIL_FROM; throws an error that names the invalid one, without a password. */
export function readMail(
  env: Environment,
  authUrl: string,
  warnings: string[],
): { smtpUrl: string | undefined; mailFrom: string } {
  const mailFrom = env.MAIL_FROM ?? `Leadgate <leadgate@${new URL(authUrl).hostname}>`;
  if (
    !/^(?:[^\s<>",;@]+@[^\s<>",;@]+|(?:"[^"\r\n]*"|[^<>",;@\r\n]*)\s*<[^\s<>",;@]+@[^\s<>",;@]+>)$/.test(
      mailFrom,
    )
  )
    throw new Error(
      `MAIL_FROM is ${JSON.stringify(mailFrom)}; it must be one address, such as Leadgate <leadgate@example.com>. A name with a comma needs quotation marks.`,
    );
  return { smtpUrl: readUrl(env, "SMTP_URL", FORM, warnings), mailFrom };
}
