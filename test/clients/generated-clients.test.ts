import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fetchPackage } from "../packages/fetch-package.ts";
import { world } from "../world.ts";
import { makesOneLead, syncsTwice } from "./support/docs-programs.ts";
import { compile, copyPrograms, linkPackages, ofPackage, outside, run } from "./support/typed-program.ts";

const the = await world();
after(() => the[Symbol.asyncDispose]());

const heyApi = await fetchPackage("hey-api", "@hey-api/openapi-ts");

/** How each generator is run on a document, with its usual options, and why it cannot be. */
const GENERATORS = {
  "openapi-fetch": {
    words: [ofPackage("openapi-typescript", "bin/cli.js"), ...["openapi.json", "-o", "generated/schema.ts"]],
    skip: false,
  },
  "hey-api": {
    words: [join(heyApi.folder, "bin/run.js"), ...["-i", "openapi.json", "-o", "generated", "--no-log-file"]],
    skip: heyApi.skip,
  },
} as const;

for (const [name, { words, skip }] of Object.entries(GENERATORS))
  test(`the programs of docs/leads-api.md compile against the client that ${name} is generated for, and run`, {
    skip,
  }, async () => {
    const folder = await outside(name);
    try {
      await writeFile(
        join(folder, "openapi.json"),
        await (await fetch(`${the.baseUrl}/openapi.json`)).text(),
      );
      await linkPackages(folder);
      await copyPrograms(name, folder);
      await run(folder, words);
      // The code that @hey-api/openapi-ts brings along does not compile with exactOptionalPropertyTypes.
      await compile(folder, { exactOptionalPropertyTypes: name !== "hey-api" });
      const { id } = await the.newProject(the.person, name);
      const { text } = await the.key(["leads:read", "leads:write"], id);
      const program = (name: string, ...words: string[]) =>
        run(folder, [`${name}.js`, ...words], { BASE_URL: the.baseUrl, LEADGATE_KEY: text });

      await syncsTwice(program);
      await makesOneLead(program);
      const figures = await program("dashboard");
      assert.ok(figures.some((line) => /^(new|contacted) \d+ /.test(line)));
      assert.equal(figures.at(-1), "last 7 days: 3");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
