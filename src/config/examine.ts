import { type Config, ENVIRONMENT, type Environment, readConfig } from "./config.ts";
import { SECRETS, withSecretFiles } from "./read-secret-files.ts";

/** A setting that cannot be used, and what to do about it. */
export interface SettingFault {
  setting: string;
  message: string;
}

/** Reads the configuration without the settings that are invalid, and returns what is wrong with each of these. */
function readWhatIsValid(given: Environment = ENVIRONMENT): {
  config: Config;
  faults: SettingFault[];
} {
  const env = { ...given };
  const faults: SettingFault[] = [];
  for (;;) {
    try {
      return { config: readConfig(env), faults };
    } catch (error) {
      const { message } = error as Error;
      // Each message begins with the setting; a member of it follows a colon.
      const setting = /^[A-Z][A-Z0-9_]+/.exec(message)?.[0] ?? "";
      const names = [setting, `${setting}_FILE`];
      if (names.every((name) => env[name] === undefined)) throw error;
      faults.push({ setting, message });
      for (const name of names) delete env[name];
    }
  }
}

/** The settings in an environment, whether they are valid or not, with secrets instead of the files that have them. */
export function givenSettings(given: Environment = ENVIRONMENT): Record<string, string> {
  const names = new Set<string>();
  readConfig({}, names);
  const files = SECRETS.map((name) => `${name}_FILE`).filter((name) => given[name]);
  const env = { ...given };
  for (const file of files) {
    const name = file.slice(0, -"_FILE".length);
    try {
      env[name] = withSecretFiles({ [name]: given[name], [file]: given[file] })[name];
      delete env[file];
    } catch {
      // Left as it is: reading the configuration says why.
    }
  }
  return Object.fromEntries(
    [...names].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
}

/** Settings as they are looked at for mistakes. */
export interface ExaminedSettings {
  config: Config;
  faults: readonly SettingFault[];
  /** The names of settings that this process has with another value. */
  changed: readonly string[];
}

/** Reads the settings of this process as they would be with others instead, which may be values or files. */
export function examineSettings(
  settings: Readonly<Record<string, string>> = {},
  given: Environment = ENVIRONMENT,
): ExaminedSettings {
  const isReplaced = (name: string) => Object.hasOwn(settings, name);
  const kept = Object.entries(given).filter(
    ([name]) => !isReplaced(name) && !isReplaced(`${name}_FILE`) && !isReplaced(name.replace(/_FILE$/, "")),
  );
  const env = { ...Object.fromEntries(kept), ...settings };
  const [now, then] = [givenSettings(given), givenSettings(env)];
  const names = [...new Set([...Object.keys(now), ...Object.keys(then)])];
  return { ...readWhatIsValid(env), changed: names.filter((name) => now[name] !== then[name]).sort() };
}
