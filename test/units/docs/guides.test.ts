import assert from "node:assert/strict";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { apply, GUIDES, type Step, stepsOf } from "../../guides/steps.ts";

/** Runs steps in a folder that has only the files that they change, and returns what they wrote. */
function written(steps: readonly Step[]): { files: Set<string>; missing: string[] } {
  const root = mkdtempSync(join(tmpdir(), "leadgate-guides-"));
  try {
    cpSync("db/migrations", join(root, "db/migrations"), { recursive: true });
    const files = new Set<string>();
    const missing: string[] = [];
    for (const step of steps) {
      if ("run" in step) {
        const named = step.run.match(/\S+\.test\.ts/g) ?? [];
        missing.push(...named.filter((file) => globSync(file).length === 0 && !files.has(file)));
        continue;
      }
      if (!files.has(step.file) && existsSync(step.file)) {
        mkdirSync(dirname(join(root, step.file)), { recursive: true });
        cpSync(step.file, join(root, step.file));
      }
      files.add(apply(step, root));
    }
    return { files, missing };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test("every block of a guide of CONTRIBUTING fits the files of today: new files are new, changed lines are there once", () => {
  const { files, missing } = written(GUIDES.flatMap((title) => stepsOf(title)));
  assert.deepEqual(missing, [], "tests that a guide runs and that nobody wrote");
  assert.ok(files.size > 10, `${files.size} files`);
});

test("an operation with its endpoint takes at most five files, and a field two", () => {
  const filesOf = (title: string) => stepsOf(title).flatMap((step) => ("run" in step ? [] : step.file));
  assert.ok(new Set(filesOf("Add an operation")).size <= 5);
  assert.equal(new Set(filesOf("Add a field")).size, 2);
});

test("a block without a file, a line that is gone or there twice, and a file that is there already are found", () => {
  const lines = "   `package.json`:\n\n   ```diff\n";
  for (const [page, reason] of [
    ["Words.\n\n```ts\n1;\n```\n", /does not end with its file: Words/],
    [`${lines}    "version": "none",\n   +1\n   \`\`\`\n`, /has these lines 0 times/],
    [`${lines}      },\n   +1\n   \`\`\`\n`, /has these lines \d+ times/],
    [`${lines}   @\n   \`\`\`\n`, /starts with neither/],
    ["`package.json`:\n\n```json\n{}\n```\n", /exists already/],
    ["`src/gone.ts`:\n\n```diff\n a\n+b\n```\n", /ENOENT/],
  ] as const)
    assert.throws(() => written(stepsOf("A guide", `## A guide\n\n${page}`)), reason, page);
});
