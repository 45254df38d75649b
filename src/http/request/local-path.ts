/** Where to go on: a path of ours with its query as it was sent, never another host; home for anything else. */
export function localPath(to: string): string {
  return /^\/(?![/\\])[\x21-\x3e\x40-\x5b\x5d-\x7e]*(?:\?[\x21-\x7e]*)?$/.test(to) ? to : "/";
}
