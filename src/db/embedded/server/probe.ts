import { existsSync } from "node:fs";
import { Client, DatabaseError } from "pg";
import { EmbeddedError } from "../host/embedded-error.ts";
import { socketOf } from "../host/socket.ts";
import type { Cluster } from "./cluster.ts";
import type { Passwords } from "./passwords.ts";

/** The URL with which a role connects to the service's database, by the socket if there is one. */
export function urlOf(
  { folder, passwords }: Pick<Cluster, "folder" | "passwords">,
  port: number,
  role: keyof Passwords = "leadgate",
): string {
  const address = `postgres://${role}:${passwords[role]}@127.0.0.1:${port}/leadgate`;
  return existsSync(socketOf(folder, port)) ? `${address}?host=${encodeURIComponent(folder)}` : address;
}

/**
 * Whether the service's role can connect: `ready`, `empty` while role or database are missing, or `away`. Throws EmbeddedError if it
 * never will.
 */
export async function probe(url: string): Promise<"ready" | "empty" | "away"> {
  const client = connection(url);
  try {
    await client.connect();
    return "ready";
  } catch (error) {
    if (!(error instanceof DatabaseError)) return "away";
    // 28P01 means a missing role or a wrong password; PostgreSQL does not distinguish them, on purpose.
    if (error.code === "28P01" || error.code === "3D000") return "empty";
    // The system lacks the locale that classifies letters: no later attempt would succeed.
    if (/database locale is incompatible/.test(error.message))
      throw new EmbeddedError(
        `PostgreSQL cannot open the database on this system: ${error.message}. ${error.detail ?? ""} ` +
          "Install that locale, or move the data folder back to where it was used",
        { cause: error },
      );
    // Without a free connection the server is still running.
    return error.code === "53300" ? "ready" : "away";
  } finally {
    await client.end().catch(() => {});
  }
}

/** Creates the service's role and database, or the parts of them that an interruption left out. */
export async function provision(cluster: Cluster, port: number): Promise<void> {
  const { postgres, leadgate } = cluster.passwords;
  const client = connection(`postgres://postgres:${postgres}@127.0.0.1:${port}/postgres`);
  try {
    await client.connect();
    const role = await client.query("SELECT FROM pg_roles WHERE rolname = 'leadgate'");
    // Not a superuser: row-level security must hold for it. The password is hexadecimal.
    const verb = role.rowCount === 0 ? "CREATE" : "ALTER";
    await client.query(`${verb} ROLE leadgate LOGIN CREATEROLE CREATEDB PASSWORD '${leadgate}'`);
    const database = await client.query("SELECT FROM pg_database WHERE datname = 'leadgate'");
    if (database.rowCount === 0) await client.query("CREATE DATABASE leadgate OWNER leadgate");
  } catch (cause) {
    // If the server goes away, this is retried; any other error would only repeat.
    if (!(cause instanceof DatabaseError) || cause.code?.startsWith("57P")) return;
    throw new EmbeddedError(`cannot create the database in ${cluster.folder}: ${cause.message}`, { cause });
  } finally {
    await client.end().catch(() => {});
  }
}

function connection(url: string): Client {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 2000,
    application_name: "leadgate-probe",
  });
  client.on("error", () => {});
  return client;
}
