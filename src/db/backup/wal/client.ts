import pg from "pg";

/** Opens a connection for a backup or its restore; a connection that is lost fails the statement that runs or follows. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "leadgate-backup" });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
