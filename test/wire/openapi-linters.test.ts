import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { apiDocument, webDocument } from "../../src/http/openapi/hosts.ts";
import { large } from "../large.ts";
import { fetchPackage } from "../packages/fetch-package.ts";

const DOCUMENTS = {
  API: apiDocument("https://api.leadgate.test"),
  web: webDocument("https://leadgate.test"),
};

/** The addresses of the current endpoints end in a slash and never change. */
const SLASH = { redocly: "no-path-trailing-slash", spectral: "path-keys-no-trailing-slash" };
/** OpenAPI 3.1 lets any scheme name roles; Spectral wants those of OAuth only (stoplightio/spectral#2643). */
const ROLES = "oas3-operation-security-defined";

/** What these tests use of Redocly's openapi-core and of Spectral. */
interface Linters {
  "@redocly/openapi-core": {
    createConfig(rules: object): Promise<object>;
    lintFromString(options: {
      source: string;
      absoluteRef: string;
      config: object;
    }): Promise<{ severity: string; ruleId: string; message: string; location: { pointer?: string }[] }[]>;
  };
  "@stoplight/spectral-core": {
    Spectral: new () => {
      setRuleset(ruleset: object): void;
      run(document: object): Promise<{ code: string; message: string; path: string[] }[]>;
    };
  };
  "@stoplight/spectral-rulesets": { oas: object };
}

const { skip, folder } = await fetchPackage("openapi-linters", "@redocly/openapi-core");
const load = createRequire(join(folder, "package.json"));
const linter = <Name extends keyof Linters>(name: Name): Linters[Name] => load(name);

for (const [host, document] of Object.entries(DOCUMENTS)) {
  test(`Redocly's recommended rules find nothing in the document of the ${host} host`, { skip }, async () => {
    const { createConfig, lintFromString } = linter("@redocly/openapi-core");
    const config = await createConfig({ extends: ["recommended"], rules: { [SLASH.redocly]: "off" } });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
    const found = problems.map(
      ({ severity, ruleId, message, location: [at] }) =>
        `${severity} ${ruleId}: ${message} ${at?.pointer ?? ""}`,
    );
    assert.deepEqual(found, []);
  });

  large(
    `Spectral's rules for OpenAPI find nothing in the document of the ${host} host`,
    {
      skip,
    },
    async () => {
      const spectral = new (linter("@stoplight/spectral-core").Spectral)();
      spectral.setRuleset({
        extends: [linter("@stoplight/spectral-rulesets").oas],
        rules: { [SLASH.spectral]: "off", [ROLES]: "off" },
      });
      const found = (await spectral.run(document)).map(
        ({ code, message, path }) => `${code}: ${message} ${path.join("/")}`,
      );
      assert.deepEqual(found, []);
    },
  );
}
