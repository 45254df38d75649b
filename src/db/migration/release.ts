import manifest from "../../../package.json" with { type: "json" };

/** The release that this code is, as a semantic version. */
export const RELEASE: string = manifest.version;

/** Whether a release is older than another one. A release candidate counts as its release. */
export function isOlder(release: string, than: string): boolean {
  const [[major, minor, patch], other] = [numbersOf(release), numbersOf(than)];
  return (major - other[0] || minor - other[1] || patch - other[2]) < 0;
}

function numbersOf(release: string): [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = (release.split("-")[0] ?? "").split(".").map(Number);
  return [major, minor, patch];
}
