/** Returns a path on this host with its query unchanged; the start page for anything else, such as another host. */
export function localPath(to: string): string {
  return /^\/(?![/\\])[\x21-\x3e\x40-\x5b\x5d-\x7e]*(?:\?[\x21-\x7e]*)?$/.test(to) ? to : "/";
}
