import { SMTPServer } from "smtp-server";
import { freePort } from "../../world.ts";

/** An e-mail as received by the mail server. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** A real SMTP server on its own port that keeps what it receives. */
export interface Mailbox extends AsyncDisposable {
  url: string;
  letters: Letter[];
  /** Waits for the next e-mail to this address that contains these words. */
  letter(to: string, words: RegExp): Promise<Letter>;
}

/** Starts one; it refuses mails to the address `refuses`. */
export async function mailbox({ refuses }: { refuses?: string } = {}): Promise<Mailbox> {
  const port = await freePort();
  const letters: Letter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      address === refuses ? done(new Error("no such mailbox")) : done(),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        letters.push(read(Buffer.concat(chunks).toString("utf8"), session.envelope.rcptTo[0]?.address ?? ""));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    async letter(to, words) {
      for (let attempt = 0; attempt < 1_200; attempt += 1) {
        const found = letters.find((one) => one.to === to && words.test(`${one.subject}\n${one.text}`));
        if (found !== undefined) {
          letters.splice(letters.indexOf(found), 1);
          return found;
        }
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`no letter to ${to} with ${words}; there are ${JSON.stringify(letters)}`);
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns subject and text, decoded (RFC 2045 6.7, RFC 2047). */
function read(raw: string, to: string): Letter {
  const cut = raw.indexOf("\r\n\r\n");
  const head = raw.slice(0, cut).replace(/\r\n[ \t]+/g, " ");
  const body = raw.slice(cut + 4);
  const subject = /^Subject: (.*)$/m.exec(head)?.[1]?.trim() ?? "";
  const encoding = /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1]?.toLowerCase();
  const text =
    encoding === "base64"
      ? Buffer.from(body, "base64").toString("utf8")
      : encoding === "quoted-printable"
        ? unquoted(body.replace(/=\r\n/g, ""))
        : body;
  const words = subject
    .replace(/\?= =\?/g, "?==?")
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(word, "base64").toString("utf8")
        : unquoted(word.replaceAll("_", " ")),
    );
  return { to, subject: words, text: text.replaceAll("\r\n", "\n") };
}

const unquoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");

/** Returns the only link to the service in an e-mail. */
export const linkIn = ({ text }: Letter): string =>
  new URL(/http:\/\/\S+/.exec(text)?.[0] ?? "about:blank").pathname;
