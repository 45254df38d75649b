import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENCODINGS } from "../../src/contract/lists/files.ts";
import { leadsOf } from "../imports/support/importing.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { leadgate } from "./support/leadgate.ts";

function figuresOf(out: string): object {
  const { opted_out, opt_outs_kept } = JSON.parse(out) as Record<string, unknown>;
  return { opted_out, opt_outs_kept };
}

large(
  "an import on the command line reads its file in the given encoding; an unknown one or an unknown preset is refused with the known ones; opt-outs are cleared only if it is told to",
  async () => {
    await using the = await world();
    const folder = await mkdtemp(join(tmpdir(), "leadgate-options-"));
    try {
      const file = join(folder, "leads.csv");
      await writeFile(file, "external_id,name\n1,Zo\u00eb\n");
      const words = ["import", "leads", "--project", the.project.id, "--file", file];
      for (const [option, known] of [
        ["encoding", ENCODINGS.join(", ")],
        ["preset", "hubspot, "],
      ] as const) {
        const { code, err } = await leadgate(the, [...words, `--${option}`, "klingon"]);
        assert.equal(code, 2, err);
        assert.ok(err.includes(`--${option} must be one of `) && err.includes(known), err);
      }
      assert.deepEqual(await leadsOf(the), []);
      const done = await leadgate(the, [...words, "--encoding", "windows-1252"]);
      assert.equal(done.code, 0, done.err);
      assert.deepEqual(
        (await leadsOf(the)).map(({ name }) => name),
        ["Zo\u00c3\u00ab"],
      );
      await writeFile(file, "external_id,do_not_contact\n1,yes\n");
      const out = await leadgate(the, [...words, "--json"]);
      assert.deepEqual(figuresOf(out.out), { opted_out: 1, opt_outs_kept: 0 });
      await writeFile(file, "external_id,do_not_contact\n1,no\n");
      const kept = await leadgate(the, [...words, "--json"]);
      assert.deepEqual(figuresOf(kept.out), { opted_out: 0, opt_outs_kept: 1 });
      const cleared = await leadgate(the, [...words, "--json", "--clear-opt-out"]);
      assert.deepEqual(figuresOf(cleared.out), { opted_out: 0, opt_outs_kept: 0 });
      assert.deepEqual(
        (await leadsOf(the)).map(({ do_not_contact: each }) => each),
        [false],
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
