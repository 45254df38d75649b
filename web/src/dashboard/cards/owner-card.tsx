import { useMembers } from "../../api/queries.ts";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { DASHBOARD_WORDS, SENTENCES } from "../data/dashboard-words.ts";
import { useOwners } from "../data/figures.ts";
import { leadsAddress, statusNotIn, withOther, withText } from "../data/leads-of.ts";
import { mainOf, totalOf } from "../data/sums.ts";
import type { Dashboard } from "../data/use-dashboard.ts";
import { BarTable } from "./bar-table.tsx";
import { Card } from "./card.tsx";
import { short } from "./text-card.tsx";

const TOP = 7;

interface Owned {
  value: number;
  count: number;
}

/** The value of the period's open leads, by owner. */
export function OwnerCard({ of }: { of: Dashboard }) {
  const words = useWords(DASHBOARD_WORDS);
  const sentences = SENTENCES[useLocale()];
  const { id, currency } = useProject();
  const { number, sum } = useFormat();
  const open = statusNotIn([...of.outcomes.won, ...of.outcomes.lost]);
  const asked = useOwners(of, open);
  const members = useMembers();
  const names = new Map(members.data?.members.map((each) => [each.id, each.name]));
  const groups = asked.data?.groups ?? [];
  const main = mainOf(totalOf(groups, currency).sums, currency);
  const owners = [...new Set(groups.map(({ key }) => key.owner_id ?? null))]
    .map((owner) => {
      const { count, sums } = totalOf(groups, currency, ({ owner_id }) => (owner_id ?? null) === owner);
      return {
        owner,
        count,
        value: sums.get(main) ?? 0,
        isMixed: [...sums.keys()].some((each) => each !== main),
      };
    })
    .sort((one, other) => other.value - one.value || other.count - one.count);
  const people = owners.filter(({ owner }) => owner !== null);
  const [top, rest] = [people.slice(0, TOP), people.slice(TOP)];
  const add = (list: readonly Owned[]): Owned => ({
    value: list.reduce((total, { value }) => total + value, 0),
    count: list.reduce((total, { count }) => total + count, 0),
  });
  const row = (key: string, name: string, { value, count }: Owned, filter: ReturnType<typeof withText>) => ({
    ...{
      key,
      name,
      size: Math.max(0, value),
      cells: [sum(value, main), number(count)],
    },
    to: leadsAddress(id, of.leadsOf(of.period, filter, open)),
  });
  const nameOf = (owner: string) => names.get(owner) ?? (members.isPending ? "…" : words.formerMember);
  const rows = top.map((each) =>
    row(`= ${each.owner}`, nameOf(each.owner ?? ""), each, withText("owner_id", each.owner)),
  );
  const nobody = owners.find(({ owner }) => owner === null);
  const ids = top.map(({ owner }) => owner ?? "");
  const quiet = [
    ...(rest.length > 0 ? [row("others", words.others, add(rest), withOther("owner_id", ids))] : []),
    ...(nobody === undefined ? [] : [row("none", words.noOwner, nobody, withText("owner_id", null))]),
  ].map((each) => ({ ...each, quiet: true }));
  const [first] = top;
  return (
    <Card
      title={words.byOwner}
      wide="half"
      sentence={
        groups.length === 0
          ? words.nothingOpen
          : first === undefined
            ? undefined
            : [
                sentences.owners(short(nameOf(first.owner ?? "")), sum(first.value, main)),
                ...(owners.some(({ isMixed }) => isMixed) ? [sentences.alone(main)] : []),
              ].join(" ")
      }
      asked={[asked]}
    >
      {groups.length > 0 && (
        <BarTable head={[words.owner, words.value, words.leads]} rows={[...rows, ...quiet]} />
      )}
    </Card>
  );
}
