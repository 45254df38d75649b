import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { failureOf, firstLine, lacks, lacksRegistry, type Reason } from "../../programs.ts";

/** Containers get no more open files than this process may have. */
export const LIMITS = "--ulimit nofile=8192:8192 --ulimit nproc=4096:4096";

/** What deploy/container/build.sh and the page do, with a system that is only a shell. */
const TRIES: readonly { fault: string; script: string }[] = [
  { fault: "no packages from Debian", script: "apt-get download -qq libc6 dash" },
  {
    fault: "buildah cannot build an image",
    script: `for package in *.deb; do dpkg-deb -x "$package" root; done
      [ -e root/lib64 ] || ln -s usr/lib64 root/lib64
      [ -e root/bin ] || ln -s usr/bin root/bin
      ln -sf dash root/bin/sh
      printf 'FROM scratch\nCOPY root/ /\nRUN true\n' >Containerfile
      buildah bud --format docker --layers=false --quiet --tag localhost/tried .`,
  },
  {
    fault: "Podman cannot run a container",
    script: `podman run --network=host ${LIMITS} --rm localhost/tried sh -c true`,
  },
];

/** Returns why no container can be built and run here, by building and running one. */
export async function lacksContainers(): Promise<Reason> {
  const absent = lacks("buildah", "podman", "apt-get", "dpkg-deb", "openssl") || lacksRegistry();
  if (absent !== false) return absent;
  await using own = ownPodman();
  const folder = mkdtempSync(join(tmpdir(), "leadgate-tried-"));
  try {
    for (const { fault, script } of TRIES) {
      const { code, out, err } = await own.sh(`cd "$FOLDER"\n${script}`, { FOLDER: folder });
      if (code !== 0) return `${fault}: ${firstLine(err) || firstLine(out)}`;
    }
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** crun refuses the mixed cgroups of some machines, runc does not. */
const RUNTIME = failureOf(["runc", "--version"], "runc") === false ? ["--runtime=runc"] : [];

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
