import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import type { Service } from "../domain/operation/service/service.ts";
import { offerSetUp } from "../domain/projects/set-up.ts";
import { listen, openService } from "../server/start.ts";
import type { Command } from "./command.ts";

export const serve: Command = {
  name: "serve",
  usage: "serve",
  options: {},
  required: [],
  async run({ config }) {
    await serveUntilStopped(config, async (service) => {
      const link = await offerSetUp(service);
      if (link === undefined) return;
      process.stdout.write(
        `\nNobody can sign in yet. Create the first owner here (once, within 24 hours):\n  ${config.authUrl}/setup/${link}\n\n`,
      );
    });
    return undefined;
  },
};

/** Serves until SIGTERM or SIGINT, then drains; a second signal, or ten seconds, ends the process at once. */
export async function serveUntilStopped(
  config: Config,
  onReady: (service: Service) => Promise<void>,
): Promise<void> {
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  const opened = await openService(config);
  const { log } = opened.service;
  try {
    const listening = await listen(opened.service, config);
    try {
      log.info({ authUrl: config.authUrl, baseUrl: config.baseUrl, role: config.role }, "listening");
      process.stdout.write(`Leadgate is ready: ${placesOf(config)}\n`);
      await onReady(opened.service);
      const signal = await stopped;
      log.info({ signal }, "draining");
      const impatient = () => process.exit(1);
      process.once("SIGINT", impatient);
      process.once("SIGTERM", impatient);
      void sleep(9_500, undefined, { ref: false }).then(impatient);
    } finally {
      await listening.stop();
    }
  } finally {
    await opened.close();
  }
  log.info("stopped");
}

/** The URLs of this instance and what it serves there. */
function placesOf({ role, authUrl, baseUrl }: Config): string {
  const [web, api] = [`${authUrl} (web, MCP)`, `${baseUrl} (API)`];
  return { all: `${web} and ${api}`, web, api, worker: "worker for background jobs" }[role];
}
