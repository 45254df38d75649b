import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf, firstLine } from "../programs.ts";

const thatSays = (script: string) => failureOf([process.execPath, "-e", script], "Podman");

test("a program that is absent, or is there and does not work, is a reason to skip, with what it said", () => {
  assert.equal(failureOf(["leadgate-has-no-such-program"], "Podman"), "no Podman");
  assert.equal(thatSays("console.log('fine')"), false);
  assert.equal(thatSays("console.log('cgroups'); process.exit(3)"), "Podman does not work: cgroups");
  assert.equal(thatSays("process.exit(3)"), "Podman does not work: code 3");
  const fault = "cannot mount a file system";
  assert.equal(
    failureOf([process.execPath, "-e", "console.error('Error: not allowed'); process.exit(1)"], "mount", {
      fault,
    }),
    `${fault}: not allowed`,
  );
});

test("a reason has the first line that is no warning, so that equal reasons are equal", () => {
  const warning = 'time="2026-11-29T00:48:02Z" level=warning msg="a mount is not shared"';
  assert.equal(
    firstLine(`${warning}\n\nError: crun: cgroups in hybrid mode\nmore`),
    "crun: cgroups in hybrid mode",
  );
  assert.equal(firstLine("npm error code ECONNREFUSED\nnpm error syscall connect"), "ECONNREFUSED");
  assert.equal(firstLine(""), "");
});
