import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";

large("an instance that fails to look for the first owner serves, and looks again", async () => {
  await using the = await world({ alone: true });
  await the.sql(`CREATE SEQUENCE store.looks;
    CREATE FUNCTION store.fail_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      IF nextval('store.looks') = 1 THEN RAISE EXCEPTION 'this once'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER fails_once BEFORE INSERT ON leadgate.setup_link EXECUTE FUNCTION store.fail_once()`);
  const one = await instance(the, "all");
  const looks = async () =>
    Number((await the.sql<{ last_value: string }>("SELECT last_value FROM store.looks"))[0]?.last_value);
  for (let tries = 0; tries < 200 && (await looks()) < 2; tries += 1) await sleep(50);
  assert.equal(await looks(), 2);
  assert.equal((await fetch(`${one.baseUrl}/readyz`)).status, 200);
  assert.equal(await one.end("SIGTERM"), 0);
});
