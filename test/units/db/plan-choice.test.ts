import assert from "node:assert/strict";
import { test } from "node:test";
import { type Plan, PlanChoice } from "../../../src/db/pool/plan-choice.ts";
import { randomFrom } from "../../api/support/random-filter.ts";

/** Runs a statement, with these milliseconds for each plan; returns which plans were chosen. */
function run(choice: PlanChoice, times: number, ms: Record<Plan, number>, text = "SELECT 1"): Plan[] {
  return Array.from({ length: times }, () => {
    const plan = choice.choose("prj_1", text);
    choice.note("prj_1", text, plan, ms[plan]);
    return plan;
  });
}

const share = (plans: readonly Plan[]): number =>
  plans.filter((plan) => plan === "generic").length / plans.length;

test("a statement is planned for its values at first, then once for all, and compared now and then", () => {
  const plans = run(new PlanChoice(), 320, { generic: 1, custom: 2 });
  assert.deepEqual(plans.slice(0, 4), ["custom", "custom", "generic", "generic"]);
  assert.ok(share(plans) > 0.9 && plans.slice(2).includes("custom"));
});

test("a generic plan that is much slower is given up, for this owner and statement only", () => {
  const choice = new PlanChoice();
  run(choice, 200, { generic: 80, custom: 2 });
  assert.equal(share(run(choice, 100, { generic: 80, custom: 2 })), 0);
  assert.ok(share(run(choice, 100, { generic: 1, custom: 2 }, "SELECT 2")) > 0.9);
  assert.equal(choice.choose("prj_2", "SELECT 1"), "custom");
  choice.choose("prj_2", "SELECT 1");
  assert.equal(choice.choose("prj_2", "SELECT 1"), "generic");
});

test("a generic plan that takes too long is given up the second time, unless many runs were between", () => {
  const choice = new PlanChoice();
  const takeTooLong = () => choice.note("prj_1", "SELECT 1", choice.choose("prj_1", "SELECT 1"), 250, true);
  run(choice, 2, { generic: 1, custom: 1 });
  takeTooLong();
  assert.ok(share(run(choice, 300, { generic: 1, custom: 1 })) > 0.9);
  takeTooLong();
  takeTooLong();
  assert.equal(share(run(choice, 50, { generic: 1, custom: 1 })), 0);
});

test("on a machine that became busy, both plans take longer, and the generic one stays", () => {
  const choice = new PlanChoice();
  run(choice, 100, { generic: 1, custom: 2 });
  assert.ok(share(run(choice, 400, { generic: 40, custom: 41 })) > 0.9);
});

test("four runs of a generic plan that are much slower than those between them, planned for their values, give it up", () => {
  const plans = run(new PlanChoice(), 12, { generic: 180, custom: 13 });
  assert.deepEqual(plans.map((plan) => plan[0]).join(""), "ccgcgcgcgccc");
});

test("slow runs of a generic plan that was fast do not give it up, as long as they are few", () => {
  const choice = new PlanChoice();
  run(choice, 10, { generic: 1, custom: 1 });
  for (let n = 0; n < 20; n += 1) {
    run(choice, 6, { generic: 100, custom: 1 });
    run(choice, 300, { generic: 1, custom: 1 });
  }
  assert.ok(share(run(choice, 100, { generic: 1, custom: 1 })) > 0.9);
});

test("runs that are under way at once when the machine becomes busy do not give a generic plan up", () => {
  const choice = new PlanChoice();
  run(choice, 10, { generic: 1, custom: 2 });
  const plans = Array.from({ length: 16 }, () => choice.choose("prj_1", "SELECT 1"));
  for (const plan of plans) choice.note("prj_1", "SELECT 1", plan, 40);
  assert.ok(share(run(choice, 100, { generic: 30, custom: 31 })) > 0.9);
});

test("a generic plan that was fast is given up once its mean is much slower twice", () => {
  const choice = new PlanChoice();
  run(choice, 10, { generic: 1, custom: 1 });
  run(choice, 300, { generic: 80, custom: 2 });
  assert.equal(share(run(choice, 100, { generic: 80, custom: 2 })), 0);
});

test("a generic plan that takes a few milliseconds is given up, too, if plans for the values take a third of that", () => {
  const choice = new PlanChoice();
  run(choice, 300, { generic: 4.4, custom: 1.2 });
  assert.equal(share(run(choice, 100, { generic: 4.4, custom: 1.2 })), 0);
});

test("chance does not give a generic plan up: times of both kinds spread as on a busy machine", () => {
  const random = randomFrom(7);
  const spread = (ms: number) =>
    ms * Math.exp(0.6 * (random() + random() + random() + random() - 2) * Math.sqrt(3));
  let used = 0;
  for (let shape = 0; shape < 100; shape += 1) {
    const choice = new PlanChoice();
    for (let n = 0; n < 5_000; n += 1) {
      const plan = choice.choose("prj_1", "SELECT 1");
      if (plan === "generic") used += 1;
      choice.note("prj_1", "SELECT 1", plan, spread(plan === "generic" ? 9 : 10));
    }
  }
  assert.ok(used > 0.95 * 100 * 5_000, `${used} of 500,000 runs`);
});

test("runs that waited while a service started do not give a generic plan up", () => {
  const choice = new PlanChoice();
  run(choice, 3, { generic: 1, custom: 2 });
  run(choice, 20, { generic: 150, custom: 2 });
  assert.ok(share(run(choice, 400, { generic: 3, custom: 4 })) > 0.9);
});
