import assert from "node:assert/strict";
import { formOf } from "../../browser.ts";
import { large } from "../../large.ts";
import { freePort, type World } from "../../world.ts";
import { Application, exchange, type Tokens, tokensOf } from "../support/application.ts";
import { balancer } from "../support/balancer.ts";
import { cluster, signerOf, until, untilSigning } from "../support/instances.ts";

const [OLD, NEW] = ["0".repeat(64), "f".repeat(64)];

large(
  "while every instance restarts with a new key and later without the old one, no refresh, form or sign-in fails",
  async () => {
    await using front = await balancer();
    await using many = await cluster();
    const start = async (keys: string): Promise<World> => {
      const port = String(await freePort());
      const started = await many.start(keys, { env: { AUTH_URL: front.url, AUTH_PORT: port } });
      front.add(port);
      return started;
    };
    const restart = async (old: World, keys: string): Promise<World> => {
      await front.remove(old.env.AUTH_PORT ?? "");
      await many.stop(old);
      return await start(keys);
    };
    let [one, two] = [await start(OLD), await start(OLD)];
    const { person, project } = one;
    const here = () => new Application(two, app.clientId);
    const app = await Application.register(one);
    const choice = { projectId: project.id };
    const browser = await one.signedIn();
    const held = [await app.tokens(browser, choice), await app.tokens(browser, choice)];

    let isOver = false;
    const rounds = { refresh: 0, consent: 0, signIn: 0 };
    const repeat = async (name: keyof typeof rounds, act: () => Promise<void>) => {
      while (!isOver) {
        await act();
        rounds[name] += 1;
      }
    };
    const refreshed = async (slot: number) => {
      held[slot] = await tokensOf(await here().refresh(held[slot]?.refresh ?? ""));
    };
    const signIn = async () => {
      const visitor = two.browser();
      const { hidden } = await formOf(await visitor.get("/sign-in"));
      const { email, password } = person;
      const entered = await visitor.post("/sign-in", { ...hidden, email, password });
      assert.equal(entered.status, 303, await entered.text());
    };
    const work = Promise.all([
      repeat("refresh", () => refreshed(0)),
      repeat("refresh", () => refreshed(1)),
      repeat("consent", async () => {
        await tokensOf(await exchange(two, await here().code(browser, choice)));
      }),
      repeat("signIn", signIn),
    ]);
    work.catch(() => undefined);
    /** Waits until each has done it several times, or one failed. */
    const goesOn = async () => {
      const before = { ...rounds };
      const isEnough = () =>
        (["refresh", "consent", "signIn"] as const).every((n) => rounds[n] >= before[n] + 3);
      await Promise.race([until(isEnough), work]);
    };
    const everySigner = (...tokens: (Tokens | undefined)[]) =>
      Promise.all(tokens.map((each) => each && signerOf(two, each, [OLD, NEW])));

    try {
      await goesOn();
      one = await restart(one, `${NEW},${OLD}`);
      await goesOn();
      assert.deepEqual(await everySigner(...held), [OLD, OLD]);
      two = await restart(two, `${NEW},${OLD}`);
      await untilSigning(one, NEW);
      await untilSigning(two, NEW);
      await goesOn();
      await until(async () => (await everySigner(...held)).every((key) => key === NEW));
      one = await restart(one, NEW);
      await goesOn();
      two = await restart(two, NEW);
      await goesOn();
    } finally {
      isOver = true;
      await work;
    }
  },
);
