import { clockOf, dayOf } from "./clock.ts";
import { crowdOf } from "./crowd.ts";
import { leadOf, type PlantedVisit, type Story } from "./planted.ts";
import { randomOf } from "./random.ts";
import { specialsOf } from "./special.ts";

/** How many visits each of the visited leads had, in the order of VISITED and VISITED_LESS. */
const VISITS = { visited: [5, 3, 4, 3], "visited-less": [2, 1, 2, 1] } as const;

/** Returns everything to plant, whose times are relative to `now`; the same seed returns the same. */
export function storyOf(now: Date, seed: number): Story {
  const clock = clockOf(now);
  const leads = [...crowdOf(clock, randomOf(seed)), ...specialsOf(clock)];
  const story: Story = { now, leads, visits: [] };
  for (const [group, counts] of Object.entries(VISITS)) {
    counts.forEach((count, n) => {
      const { email } = leadOf(story, `${group}-${n}`);
      for (let i = 0; i < count; i += 1) {
        const place = i % 2 === 0 ? "Recife" : "Olinda";
        story.visits.push(
          visitOf(
            story.visits.length,
            email,
            dayOf(clock.at(3 + n * 5 + i * 9, "12:00")),
            25 + 10 * i,
            place,
          ),
        );
      }
    });
  }
  return story;
}

const visitOf = (
  n: number,
  email: string,
  visited_on: string,
  minutes: number,
  place: string,
): PlantedVisit => ({
  visit_no: `V-${String(n + 1).padStart(3, "0")}`,
  ...{ email, visited_on, minutes, place },
  seller: n % 2 === 0 ? "Iara Nunes" : "Caio Prado",
});
