import { type EmbeddedOptions, startEmbedded } from "../../../src/db/embedded/index.ts";

// Runs a service in a process of its own: reports the outcome of its start, stops its server on SIGTERM.
const options: EmbeddedOptions = JSON.parse(process.argv[2] ?? "{}");
const alive = setInterval(() => {}, 1000);
try {
  const server = await startEmbedded(options);
  process.once("SIGTERM", async () => {
    await server.stop();
    clearInterval(alive);
  });
  console.log(JSON.stringify({ url: server.url, owner: server.owner }));
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }));
  clearInterval(alive);
}
