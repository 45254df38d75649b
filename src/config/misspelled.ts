import { edits } from "../core/nearest.ts";

/** OpenTelemetry has more names than those that are read here. */
const OTHERS = /^(?:OTEL_|[^A-Z]|.*[^A-Z\d_])/;

/**
 * Returns a warning for each variable whose name is likely that of a setting, misspelled. The names of usual variables are farther
 * from ours: one edit for short names, two for long ones, and a plural for a singular.
 */
export function misspelled(
  env: Readonly<Record<string, string | undefined>>,
  settings: ReadonlySet<string>,
): string[] {
  const absent = [...settings].filter((name) => env[name] === undefined);
  return Object.keys(env).flatMap((name) => {
    if (settings.has(name) || OTHERS.test(name)) return [];
    const right = /_FILE$/.test(name)
      ? [...settings].find((setting) => name === `${setting}_FILE`)
      : absent.find((setting) => edits(singular(name), singular(setting)) <= (setting.length < 8 ? 1 : 2));
    return right === undefined
      ? []
      : [`${name} is not a setting of Leadgate and is ignored; ${right} may be meant.`];
  });
}

const singular = (name: string): string => name.replace(/IES$/, "Y").replace(/S$/, "");
