import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ground } from "../chaos/ground.ts";
import { large } from "../large.ts";
import { noRedis } from "../limits/support/redis.ts";
import type { Line } from "../observe/support/logging.ts";
import { sum } from "../operator/support/scrape.ts";
import { notLinux, notRoot } from "../programs.ts";
import { FAULTS, type Fault, type Night, nightOf, type Phase } from "./support/night.ts";

const PAGE = readFileSync("docs/operate/incidents.md", "utf8");

/** Says which of a metric's values while the fault lasted was largest, or by how much it grew. */
const during = ({ scrapes }: Night, phase: Phase = "during") =>
  scrapes.filter((each) => each.phase === phase && each.text !== "").map(({ text }) => text);
const most = (night: Night, series: string, phase?: Phase): number =>
  Math.max(0, ...during(night, phase).map((text) => sum(text, series)));
const growth = (night: Night, series: string): number => {
  const texts = [...during(night, "before").slice(-1), ...during(night), ...during(night, "after")];
  return sum(texts.at(-1) ?? "", series) - sum(texts[0] ?? "", series);
};
const found = ({ lines }: Night, fits: (line: Line) => boolean): Line => {
  const line = lines.find(fits);
  assert.ok(line !== undefined, "the line is in the log");
  return line;
};

/** What the page says under a heading. */
const section = (title: string): string => {
  const [, rest = ""] = PAGE.split(`\n## ${title}\n`);
  return rest.split("\n## ")[0] ?? "";
};

/** For each fault the section that finds it, the words of the section that are its path, and what shows that they are there. */
const PATHS: Record<string, { title: string; words: string[]; shows(night: Night): void }> = {
  lock: {
    title: "Calls wait for a lock",
    words: ["`lock`", "leadgate_lock_waits"],
    shows(night) {
      assert.ok(most(night, 'leadgate_lock_waits{holder="idle"}') > 0);
      const { lock } = found(night, (line) => line.msg === "slow" && line.lock !== undefined);
      assert.equal((lock as { blocked_by: Line[] }).blocked_by[0]?.application, "etl");
    },
  },
  "long transaction": {
    title: "A transaction is open and does nothing",
    words: ["`open_s`", "TransactionForgotten"],
    shows(night) {
      assert.ok(most(night, "leadgate_database_oldest_idle_transaction_seconds ") > 20);
      const { kept_by: kept } = found(night, (line) => line.kept_by !== undefined);
      const { holder, application, state } = kept as Line;
      assert.deepEqual([holder, application, state], ["transaction", "crm-report", "idle in transaction"]);
    },
  },
  vacuum: {
    title: "Vacuum cannot remove old rows",
    words: [
      "leadgate_database_kept_transactions",
      "leadgate_database_dead_rows",
      "vacuum cannot remove old rows",
    ],
    shows(night) {
      assert.ok(most(night, 'leadgate_database_kept_transactions{holder="prepared"}') > 100);
      assert.ok(most(night, 'leadgate_database_kept_transactions{holder="transaction"}') < 100);
      assert.ok(growth(night, "leadgate_database_dead_rows ") > 100);
      const { kept_by: kept } = found(night, (line) => line.kept_by !== undefined);
      assert.deepEqual([(kept as Line).holder, (kept as Line).name], ["prepared", "batch-4711"]);
    },
  },
  "slow disk": {
    title: "Commits wait for the disk",
    words: ["leadgate_database_commit_seconds", "`commit_ms`", "leadgate_database_round_trip_seconds"],
    shows(night) {
      assert.ok(growth(night, "leadgate_database_commit_seconds_sum ") > 3);
      const line = found(night, ({ msg, commit_ms: ms }) => msg === "slow" && Number(ms) > 300);
      assert.ok(Number(line.commit_ms) > Number(line.ms) / 2);
    },
  },
  "full log disk": {
    title: "The log is not written",
    words: ["leadgate_log_blocked", "the log could not be written for a while"],
    shows(night) {
      assert.equal(most(night, 'leadgate_log_blocked{fault="full"}'), 1);
      assert.ok(most(night, "leadgate_log_waiting_bytes ") > 10_000);
      assert.equal(found(night, ({ fault }) => fault === "full").code, "ENOSPC");
    },
  },
  processor: {
    title: "Other programs have the processors",
    words: ["leadgate_processor_wait_seconds_total", "other programs had the processors"],
    shows(night) {
      assert.ok(growth(night, "leadgate_processor_wait_seconds_total ") > 5);
      const line = found(night, ({ msg }) => /other programs had the processors/.test(String(msg)));
      assert.ok(Number(line.waited_ms) > Number(line.ran_ms));
    },
  },
  "event loop": {
    title: "The event loop is late",
    words: ["EventLoopLate", "the program itself ran"],
    shows(night) {
      assert.ok(most(night, "nodejs_eventloop_lag_p99_seconds ") > 0.25);
      const line = found(night, ({ msg }) => /the program itself ran/.test(String(msg)));
      assert.ok(Number(line.late_ran_ms) >= 500, JSON.stringify(line));
    },
  },
  "slow client": {
    title: "Clients read their answers slowly",
    words: ["leadgate_answers_unread", "`unread_ms`"],
    shows(night) {
      assert.ok(most(night, "leadgate_answers_unread ") >= 1);
      const line = found(night, ({ msg, unread_ms: ms }) => msg === "answered" && Number(ms) > 2_000);
      assert.equal(line.operation, "leads.export");
    },
  },
  redis: {
    title: "Redis does not respond",
    words: ["leadgate_redis_up", "Redis does not respond"],
    shows(night) {
      assert.equal(sum(during(night).at(-1) ?? "", "leadgate_redis_up "), 0);
      assert.equal(most(night, "leadgate_redis_up ", "after"), 1);
      found(night, ({ msg }) => /^Redis does not respond/.test(String(msg)));
    },
  },
  network: {
    title: "The network to the database is slow or drops connections",
    words: [
      "leadgate_database_round_trip_seconds",
      "leadgate_database_connections_lost_total",
      "`round_trip_ms`",
    ],
    shows(night) {
      // 150 ms each way, less what a busy relay counts as waited already.
      assert.ok(most(night, "leadgate_database_round_trip_seconds ") >= 0.2);
      assert.ok(growth(night, "leadgate_database_connections_lost_total ") > 0);
      found(night, ({ round_trip_ms: ms }) => Number(ms) >= 200);
    },
  },
};

/** A machine that is busy with other things may see little of a short fault, so what is not found may last longer once. */
async function isFound(
  { name, lasts }: Fault,
  shows: (night: Night) => void,
  have: (lasts: number) => Promise<Night>,
): Promise<void> {
  for (const seconds of [lasts, 4 * lasts]) {
    const night = await have(seconds);
    try {
      return shows(night);
    } catch (error) {
      const told = night.lines.filter(({ level }) => Number(level) >= 40).slice(0, 5);
      if (seconds > lasts)
        throw new Error(`${name}: ${JSON.stringify(told).slice(0, 3_000)}`, { cause: error });
    }
  }
}

large(
  "each of ten faults is found in the night's log and metrics by what the page about incidents says",
  { skip: notLinux || notRoot || noRedis, timeout: 900_000 },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "leadgate-night-"));
    const ground = await Ground.prepare({ onDisk: true, settings: { max_prepared_transactions: "4" } });
    t.after(async () => {
      await ground.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const times = { before: 3, after: 3 };
    for (const fault of FAULTS) {
      const path = PATHS[fault.name];
      assert.ok(path !== undefined, fault.name);
      for (const word of path.words) assert.ok(section(path.title).includes(word), `${path.title}: ${word}`);
      if (fault.skip) {
        t.diagnostic(`${fault.name}: ${fault.skip}`);
        continue;
      }
      await isFound(fault, path.shows, async (lasts) => {
        const night = `${fault.name.replaceAll(" ", "-")}-${lasts}`;
        return await nightOf({ ...fault, lasts }, ground, join(folder, night), times);
      });
    }
  },
);
