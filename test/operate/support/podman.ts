import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const NEEDED = ["buildah", "podman", "apt-get", "dpkg-deb", "npm", "openssl"];
const absent = NEEDED.filter((program) => spawnSync(program, ["--help"]).error !== undefined);

/** Why no container can be built and run here, or false. */
export const noContainers: string | false =
  absent.length > 0 ? `${absent.join(", ")} not installed (Debian: buildah podman runc)` : false;

/** crun refuses the mixed cgroups of some machines, runc does not. */
const RUNTIME = spawnSync("runc", ["--version"]).error === undefined ? ["--runtime=runc"] : [];

/** Overlays are quick, but need rights, and a folder that is not itself in an overlay; vfs copies every layer. */
const DRIVER =
  process.getuid?.() === 0 &&
  /\boverlay$/m.test(readFileSync("/proc/filesystems", "utf8")) &&
  !/overlay/.test(spawnSync("stat", ["-f", "-c", "%T", tmpdir()], { encoding: "utf8" }).stdout ?? "")
    ? "overlay"
    : "vfs";

interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Podman and buildah with images, containers and volumes of their own. */
export interface Podman extends AsyncDisposable {
  podman(...args: string[]): Promise<Ran>;
  /** Runs a shell script in a folder. */
  sh(script: string, env?: Record<string, string>): Promise<Ran>;
}

/** Returns Podman on a new folder; everything in it is removed at the end. */
export function ownPodman(): Podman {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-podman-"));
  const [storage, bin] = [join(folder, "storage.conf"), join(folder, "bin")];
  const store = `runroot = "${join(folder, "run")}"\ngraphroot = "${join(folder, "store")}"`;
  writeFileSync(storage, `[storage]\ndriver = "${DRIVER}"\n${store}\n`);
  mkdirSync(bin);
  // What the machine needs, so that scripts can say "podman" as the documents do.
  const real = spawnSync("sh", ["-c", "command -v podman"], { encoding: "utf8" }).stdout.trim();
  const options = ["--cgroup-manager=cgroupfs", ...RUNTIME].join(" ");
  writeFileSync(join(bin, "podman"), `#!/bin/sh\nexec ${real} ${options} "$@"\n`, { mode: 0o755 });
  const environment = {
    ...process.env,
    ...{ PATH: `${bin}:${process.env.PATH}`, LC_ALL: "C" },
    ...{ CONTAINERS_STORAGE_CONF: storage, BUILDAH_ISOLATION: "chroot" },
  };
  const run = async (file: string, args: string[], env: Record<string, string> = {}): Promise<Ran> => {
    const options = { env: { ...environment, ...env }, maxBuffer: 1e8 };
    return await promisify(execFile)(file, args, options).then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        ...{ code: error.code, out: error.stdout, err: error.stderr },
      }),
    );
  };
  return {
    podman: (...args) => run(join(bin, "podman"), args),
    sh: (script, env) => run("sh", ["-ec", script], env),
    async [Symbol.asyncDispose]() {
      await run(join(bin, "podman"), ["rm", "--all", "--force", "--time=0"]);
      await run("rm", ["-rf", folder]);
    },
  };
}
