// Order matters: browsers name those they descend from before themselves.
const BROWSERS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdgA?(?:iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, "Safari"],
];

const SYSTEMS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bWindows\b/, "Windows"],
  [/\b(?:iPhone|iPod)\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Returns the browser and the system that a User-Agent header names; undefined for unknown ones. */
export function browserNames(agent: string): { browser: string | undefined; system: string | undefined } {
  const named = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(agent))?.[1];
  return { browser: named(BROWSERS), system: named(SYSTEMS) };
}
