import { statfsSync } from "node:fs";
import { totalmem } from "node:os";
import process from "node:process";
import { socketFolder } from "../host/socket.ts";

/** The command line arguments of a server with a socket and this port on the loopback address, and further settings. */
export function serverArguments(
  folder: string,
  name: string,
  port: number,
  more: Readonly<Record<string, string>> = {},
): string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: quoted(socketFolder(folder, port)),
    cluster_name: name,
    max_connections: 200,
    shared_buffers: `${bufferMegabytes(memory())}MB`,
    work_mem: "16MB",
    maintenance_work_mem: "128MB",
    max_wal_size: "2GB",
    // What the copy of the log may be behind before a new backup is needed: a full disk would be worse.
    max_slot_wal_keep_size: "4GB",
    dynamic_shared_memory_type: sharedMemoryIsSmall() ? "mmap" : platformDefault,
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    // The values of a failed statement could be secrets or personal data, so they are not logged.
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
    log_parameter_max_length_on_error: 0,
    ...more,
  };
  return ["-D", folder, ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`])];
}

/** An eighth of the memory, from 128 MB to 2 GB, in megabytes: the file cache of the operating system holds the rest. */
export function bufferMegabytes(bytes: number): number {
  const [least, most] = [128, 2_048];
  return Math.round(Math.min(most, Math.max(least, bytes / 8 / 1_048_576)));
}

/** The memory that this process may use, in bytes: that of the machine, or of its container. */
function memory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** A folder, quoted for a list of folders. */
const quoted = (folder: string): string => (folder === "" ? "" : `"${folder.replaceAll('"', '""')}"`);

const platformDefault = process.platform === "win32" ? "windows" : "posix";

/** Whether /dev/shm is small: containers give it 64 MB, which is too little for parallel queries and index builds. */
function sharedMemoryIsSmall(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const { blocks, bsize } = statfsSync("/dev/shm");
    return blocks * bsize < 512 * 1024 * 1024;
  } catch {
    return true;
  }
}
