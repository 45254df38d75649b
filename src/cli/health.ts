import { hereOf } from "../config/here.ts";
import type { Command } from "./command.ts";

const PATIENCE_MS = 4_000;

export const health: Command = {
  name: "health",
  usage: "health   (exit code 0 if the instance with these settings is ready, otherwise 1)",
  options: {},
  required: [],
  async run({ config }) {
    const ports =
      config.role === "web"
        ? [config.authPort]
        : config.role === "all"
          ? [config.authPort, config.apiPort]
          : [config.apiPort];
    await Promise.all(ports.map((port) => refuseUnready(`http://${hereOf(config)}:${port}/readyz`)));
    return { status: "ok" };
  },
};

async function refuseUnready(url: string): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: "error" });
  } catch (cause) {
    throw new Error(`${url} does not answer`, { cause });
  }
  const { reason } = (await answer.json().catch(() => ({}))) as { reason?: string };
  if (!answer.ok)
    throw new Error(`${url} answers ${answer.status}${reason === undefined ? "" : `: ${reason}`}`);
}
