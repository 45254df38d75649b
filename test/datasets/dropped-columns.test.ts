import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { bodyOf, type Dataset, found, keeper, make, written } from "./support/dataset.ts";

const THINGS = {
  key: "things",
  columns: [
    { key: "a", type: "text" },
    { key: "b", type: "text" },
    { key: "c", type: "text" },
  ],
  key_column: "a",
  lead_link: { column: "a", match: "external_id" },
};

const OTHER_LINK = { column: "b", match: "email" };

/** Changes that drop the column, and the key column and lead link afterwards; undefined where they are refused. */
const CHANGES: Record<string, [patch: object, after?: [key: string | null, link: object | null]]> = {
  "another key column and another link": [
    { key_column: "b", lead_link: OTHER_LINK },
    ["b", { ...OTHER_LINK, personal: true }],
  ],
  "null for both": [{ key_column: null, lead_link: null }, [null, null]],
  "another key column alone": [{ key_column: "b" }],
  "another link alone": [{ lead_link: OTHER_LINK }],
  nothing: [{}],
};

for (const [what, [patch, after]] of Object.entries(CHANGES)) {
  const outcome = after === undefined ? "is refused" : "succeeds";
  test(`dropping the column that is key and link ${outcome} if the same change names ${what}`, async () => {
    await using the = await world();
    const key = await keeper(the);
    await make(key, THINGS);
    await written(key, [{ a: "1", b: "x@example.org", c: "z" }], "insert", "things");
    const answer = await key.send("PATCH", "/api/v1/datasets/things", { drop: ["a"], ...patch });
    if (after === undefined) {
      const { error } = await bodyOf<{ error: { code: string } }>(answer, 409);
      assert.equal(error.code, "column_in_use");
    } else {
      const { key_column, lead_link } = await bodyOf<Dataset>(answer);
      assert.deepEqual([key_column, lead_link], after);
    }
    const [row] = (await found(key, {}, "things")).rows;
    assert.deepEqual([row?.a, row?.b, row?.c], [after === undefined ? "1" : undefined, "x@example.org", "z"]);
  });
}
